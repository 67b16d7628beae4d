internal import AlmanacJSON

/// The rows that a release writes, computed without the database.
///
/// A breaking change leaves the old row to the earlier majors and inserts a row for the new major. A compatible change
/// updates the row for every major that sees it. An added key is visible from the release's major on.
struct ReleasePlan {
    /// The changes in the order of the edits, without edits that change nothing.
    private(set) var changes: [Change] = []
    /// The first major that sees each change, in the same order.
    private(set) var firstMajors: [Int] = []
    /// The majors that keep the value from before each change, in the same order.
    private(set) var majorsKeepingOldValue: [Range<Int>] = []
    let version: SemanticVersion
    /// The largest bump of the changes; nil if nothing changes.
    let bump: Bump?
    /// The keys whose newest row ends before the given major.
    private(set) var rowEnds: [(key: String, major: Int)] = []
    private(set) var inserts: [RowWrite] = []
    private(set) var updates: [RowWrite] = []
    /// The growth of the config in entries; negative if the config shrinks.
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
    ///   - edits: At most one edit per key.
    ///   - newest: The newest rows of the keys, tombstones included.
    ///   - version: The version before the release.
    ///   - floors: The first major that can take the change of a key. Earlier majors keep the old value.
    init(_ edits: [EntryEdit], newest: [String: Entry], version: SemanticVersion, floors: [String: Int] = [:]) throws {
        for edit in edits {
            let row = newest[edit.key]
            let before = try row?.value.map { try JSONValue(parsing: $0, limits: .stored) }
            let kept = before == nil ? "" : row?.description ?? ""
            let description = edit.value == nil ? "" : edit.description ?? kept
            let present = before == nil ? nil : row?.kind
            let kind =
                try edit.value == nil
                ? present ?? .value : EntryKind.resolved(edit.kind, of: edit.key, present: present)
            guard before != edit.value || kind != present && before != nil || !kept.utf8.elementsEqual(description.utf8)
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
        // Only a live row with a compatible change keeps its majors.
        let isKept = change.before != nil && change.bump < .major
        let firstMajor = max(floor, isKept ? row?.firstMajor ?? version.major : version.major)
        firstMajors.append(firstMajor)
        let seenFrom = change.before == nil ? firstMajor : row?.firstMajor ?? firstMajor
        majorsKeepingOldValue.append(seenFrom..<firstMajor)
        let write = RowWrite(
            key: change.key, firstMajor: firstMajor, value: change.after?.serialized(), description: change.description,
            kind: change.kind)
        if row?.firstMajor == firstMajor {
            updates.append(write)
        } else {
            if row != nil { rowEnds.append((change.key, firstMajor)) }
            inserts.append(write)
        }
    }
}

extension JSONLimits {
    /// The limits for stored values, which were validated when they were written.
    static let stored = {
        var limits = JSONLimits()
        limits.bytes = .max
        limits.depth = 1024
        return limits
    }()
}
