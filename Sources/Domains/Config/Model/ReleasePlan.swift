internal import AlmanacJSON

/// The rows that a release writes, computed without the database.
///
/// Each major has one row of a key. It receives the new value if nothing in the value that it has would be removed or
/// retyped; otherwise it keeps its row. A major without the key receives it.
struct ReleasePlan {
    /// The changes in the order of the edits, without edits that change nothing.
    private(set) var changes: [Change] = []
    /// The majors that see each change, in the same order.
    private(set) var receivers: [[MajorRange]] = []
    let version: SemanticVersion
    /// The largest bump of the changes; nil if nothing changes.
    let bump: Bump?
    /// The reasons to withhold changes: by key, then by major.
    typealias Withheld = [String: [Int: String]]
    private let withheld: Withheld
    /// The rows of the changed keys before the release, from the oldest majors to the newest.
    private let rows: [String: [Entry]]
    /// The rows that keep some of their majors.
    private(set) var shrunk: [(row: Int64, majors: MajorRange)] = []
    /// The rows that keep all of their majors and get further ones.
    private(set) var grown: [(row: Int64, majors: MajorRange)] = []
    /// The rows that are copied for other majors, because a row has majors without a gap.
    private(set) var copies: [(row: Int64, majors: MajorRange)] = []
    private(set) var deleted: [Int64] = []
    private(set) var updates: [RowWrite] = []
    private(set) var inserts: [RowWrite] = []
    /// The growth of the config in entries; negative if the config shrinks.
    private(set) var growth = 0

    /// A row with the new value of its key.
    struct RowWrite {
        let key: String
        let majors: MajorRange
        let value: [UInt8]?
        let description: String
        var kind = EntryKind.value
        /// The row to update. For an insertion, the row that the majors had before, or nil.
        var row: Int64?

        var text: String? { value.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// - Parameters:
    ///   - edits: At most one edit per key.
    ///   - rows: The rows of the keys, tombstones included, in any order.
    ///   - version: The version before the release.
    ///   - oldestMajor: The oldest major that is not retired; nil before the first release.
    ///   - withheld: The majors that must not receive the change of a key, each with the reason.
    init(
        _ edits: [EntryEdit], rows: [Entry], version: SemanticVersion, oldestMajor: Int?,
        withheld: Withheld = [:]
    ) throws {
        self.withheld = withheld
        self.rows = Dictionary(grouping: rows, by: \.key).mapValues { $0.sorted { $0.majors.first < $1.majors.first } }
        for edit in edits {
            let row = self.rows[edit.key]?.last
            let before = try row?.content()
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
                    descriptionBefore: kept, kinds: (present ?? kind, kind)))
        }
        bump = changes.map(\.bump).max()
        self.version = bump.map { version.bumped(by: $0) } ?? version
        for change in changes {
            try plan(change, from: oldestMajor ?? self.version.major, withheld: Set((withheld[change.key] ?? [:]).keys))
        }
    }

    /// Some majors of a row, or of none.
    private struct Piece {
        var majors: MajorRange
        let row: Entry?
        let receives: Bool
    }

    private mutating func plan(_ change: Change, from oldestMajor: Int, withheld: Set<Int>) throws {
        growth += (change.after == nil ? 0 : 1) - (change.before == nil ? 0 : 1)
        let rows = rows[change.key] ?? []
        var pieces: [Piece] = []
        /// Adds the majors from `start` that have no row, not even a tombstone.
        func addGap(from start: Int, to end: Int?) {
            guard change.after != nil, start < end ?? .max else { return }
            pieces += self.pieces(of: MajorRange(first: start, end: end), nil, withheld, fits: true)
                .filter(\.receives)
        }
        var next: Int? = oldestMajor
        for row in rows {
            if let start = next { addGap(from: start, to: row.majors.first) }
            pieces += self.pieces(of: row.majors, row, withheld, fits: try change.fits(row))
            next = row.majors.end.map { max($0, oldestMajor) }
        }
        if let start = next { addGap(from: start, to: nil) }
        write(change, pieces)
    }

    /// Divides majors into those that receive a change and those that keep their row.
    ///
    /// - Parameter fits: True if the majors can take the change.
    private func pieces(of majors: MajorRange, _ row: Entry?, _ withheld: Set<Int>, fits: Bool) -> [Piece] {
        let isNewest = majors.end == nil
        let starts = Set([majors.first, version.major] + withheld.flatMap { [$0, $0 + 1] })
        var pieces: [Piece] = []
        for start in starts.filter(majors.contains).sorted() {
            let isCurrent = isNewest && start >= version.major
            let receives = isCurrent || fits && !withheld.contains(start)
            if pieces.last?.receives != receives {
                if !pieces.isEmpty { pieces[pieces.count - 1].majors.end = start }
                pieces.append(Piece(majors: MajorRange(first: start, end: majors.end), row: row, receives: receives))
            }
        }
        return pieces
    }

    private mutating func write(_ change: Change, _ pieces: [Piece]) {
        // A row stays with the first of its majors that keep it.
        var used: Set<Int64> = []
        for piece in pieces where !piece.receives {
            guard let row = piece.row else { continue }
            if !used.insert(row.id).inserted {
                copies.append((row.id, piece.majors))
            } else if piece.majors != row.majors {
                shrunk.append((row.id, piece.majors))
            }
        }
        var received: [MajorRange] = []
        var place = pieces.startIndex
        while place < pieces.endIndex {
            guard pieces[place].receives else {
                place += 1
                continue
            }
            var majors = pieces[place].majors
            var sources = [pieces[place].row]
            place += 1
            // Adjacent majors share a row.
            while place < pieces.endIndex, pieces[place].receives, pieces[place].majors.first == majors.end {
                majors.end = pieces[place].majors.end
                sources.append(pieces[place].row)
                place += 1
            }
            received.append(majors)
            let free = sources.compactMap(\.self).filter { !used.contains($0.id) }
            let row = free.last
            deleted += free.dropLast().map(\.id)
            if let row, row.majors != majors { grown.append((row.id, majors)) }
            let write = RowWrite(
                key: change.key, majors: majors, value: change.after?.serialized(), description: change.description,
                kind: change.kind, row: row?.id ?? sources.compactMap(\.self).last?.id)
            if row == nil { inserts.append(write) } else { updates.append(write) }
        }
        receivers.append(received)
    }

    /// True if rows change without a new `updated_at`, or disappear.
    var rewritesRows: Bool { !shrunk.isEmpty || !grown.isEmpty || !copies.isEmpty || !deleted.isEmpty }

    /// The row that a major has before the release, a tombstone included.
    func row(of key: String, in major: Int) -> Entry? { rows[key]?.first { $0.majors.contains(major) } }

    /// Returns the reason to withhold the change of a key from a major; nil if the value or the type decided.
    func reason(toWithhold key: String, from major: Int) -> String? { withheld[key]?[major] }

    func receives(_ change: Int, in major: Int) -> Bool { receivers[change].contains { $0.contains(major) } }
}

extension Change {
    /// Returns true if the majors of a row can take the change, and it changes something there.
    fileprivate func fits(_ row: Entry) throws -> Bool {
        guard let after else { return false }
        guard let before = try row.content() else { return true }
        let change = Change(
            key: key, before: before, after: after, description: description, kinds: (row.kind, kind))
        let isSame = before == after && row.kind == kind && row.description.utf8.elementsEqual(description.utf8)
        return change.bump < .major && !isSame
    }
}

extension Entry {
    /// Returns the value; nil in a tombstone.
    func content() throws -> JSONValue? { try value.map { try JSONValue(parsing: $0, limits: .stored) } }
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
