internal import AlmanacJSON

/// The rows that a release has to write, decided without touching the database.
///
/// A breaking change leaves the row of a key to the majors before and opens a new row at the new major; a compatible
/// change updates the row for every major that sees it; an added key is seen from the release's major on.
struct ReleasePlan {
    /// The changes, in the order of the edits; an edit that changes nothing is left out.
    private(set) var changes: [Change] = []
    /// The first major that sees each change, in the same order.
    private(set) var firstMajors: [Int] = []
    /// The majors that go on seeing the value before each change because of it, in the same order.
    private(set) var keptMajors: [Range<Int>] = []
    /// The version of the release.
    let version: SemanticVersion
    /// The largest of the changes; nil where there is none.
    let bump: Bump?
    /// Keys whose newest row is left to the majors before the given one.
    private(set) var closes: [(key: String, major: Int)] = []
    private(set) var inserts: [RowWrite] = []
    private(set) var updates: [RowWrite] = []
    /// By how many entries the config grows; negative when it shrinks.
    private(set) var growth = 0

    struct RowWrite {
        let key: String
        let firstMajor: Int
        let value: [UInt8]?
        let description: String
        var kind = EntryKind.value

        var text: String? { value.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// - Parameters:
    ///   - edits: at most one per key.
    ///   - newest: the newest rows of the keys, tombstones included.
    ///   - version: the version before the release.
    ///   - floors: the first majors that can take the change of a key; those before keep what they have.
    init(
        _ edits: [EntryEdit], newest: [String: Entry], version: SemanticVersion, floors: [String: Int] = [:]
    ) throws {
        for edit in edits {
            let row = newest[edit.key]
            let before = try row?.value.map { try JSONValue(parsing: $0, limits: .stored) }
            let kept = before == nil ? "" : row?.description ?? ""
            let description = edit.value == nil ? "" : edit.description ?? kept
            let present = before == nil ? nil : row?.kind
            let kind =
                try edit.value == nil
                ? present ?? .value : EntryKind.resolved(edit.kind, of: edit.key, present: present)
            guard
                before != edit.value || kind != present && before != nil
                    || !kept.utf8.elementsEqual(description.utf8)
            else { continue }
            changes.append(
                Change(
                    key: edit.key, before: before, after: edit.value, description: description,
                    kinds: (present ?? kind, kind)))
        }
        bump = changes.map(\.bump).max()
        self.version = bump.map { version.bumped(by: $0) } ?? version
        for change in changes { plan(change, newest[change.key], floor: floors[change.key] ?? 0) }
    }

    private mutating func plan(_ change: Change, _ row: Entry?, floor: Int) {
        growth += (change.after == nil ? 0 : 1) - (change.before == nil ? 0 : 1)
        // Only a live row that stays compatible keeps its majors.
        let isKept = change.before != nil && change.bump < .major
        let firstMajor = max(floor, isKept ? row?.firstMajor ?? version.major : version.major)
        firstMajors.append(firstMajor)
        let seenFrom = change.before == nil ? firstMajor : row?.firstMajor ?? firstMajor
        keptMajors.append(seenFrom..<firstMajor)
        let write = RowWrite(
            key: change.key, firstMajor: firstMajor, value: change.after?.serialized(), description: change.description,
            kind: change.kind)
        if row?.firstMajor == firstMajor {
            updates.append(write)
        } else {
            if row != nil { closes.append((change.key, firstMajor)) }
            inserts.append(write)
        }
    }
}

extension JSONLimits {
    /// For values that were checked when they were taken.
    static let stored = {
        var limits = JSONLimits()
        limits.bytes = .max
        limits.depth = 1024
        return limits
    }()
}
