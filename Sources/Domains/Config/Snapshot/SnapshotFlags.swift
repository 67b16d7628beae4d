internal import AlmanacTargeting

/// The flags of a snapshot, shared with later snapshots until a flag changes.
final class SnapshotFlags: Sendable {
    /// The rows of flags and shared settings, tombstones included, sorted by key and majors.
    let rows: [Entry]
    /// The flags of clients without a pin and of each major, compiled at first use and read without a lock.
    private let newest: OnceValue<CompiledFlags>
    private let majors: [Int: OnceValue<CompiledFlags>]
    private let obstacles: [Int: OnceValue<[String: DefinitionFault]>]

    /// True if there are no rows of flags, not even tombstones.
    var isEmpty: Bool { rows.isEmpty }

    /// Returns the flags among some rows, or those of the previous snapshot if they are the same.
    static func of(_ entries: [Entry], majors: [Int: Major], keeping before: SnapshotFlags?) -> SnapshotFlags {
        let rows = entries.filter { $0.kind != .value }
        if let before, before.majors.count == majors.count, majors.keys.allSatisfy({ before.majors[$0] != nil }),
            rows.elementsEqual(before.rows, by: { $0.isSameRow(as: $1) && $0.majors == $1.majors })
        {
            return before
        }
        return SnapshotFlags(rows, majors: majors, keeping: before)
    }

    private init(_ rows: [Entry], majors: [Int: Major], keeping before: SnapshotFlags?) {
        self.rows = rows
        // A view may keep its flags although the flags of another view changed.
        func kept(_ known: CompiledFlags?, _ major: Int?) -> OnceValue<CompiledFlags> {
            guard let known, known.isOf(Self.rows(rows, of: major)) else { return OnceValue() }
            return OnceValue(known)
        }
        obstacles = majors.mapValues { _ in OnceValue() }
        newest = kept(before?.newest.known, nil)
        self.majors = Dictionary(uniqueKeysWithValues: majors.keys.map { ($0, kept(before?.majors[$0]?.known, $0)) })
    }

    /// Returns the flags of a released major, or of the newest config if the major is nil.
    func compiled(for major: Int?) -> CompiledFlags {
        let place = major.map { majors[$0] ?? OnceValue() } ?? newest
        return place.value {
            let rows = Self.rows(rows, of: major)
            // A set may be large, so views with the same flags share it.
            let others = [newest] + majors.values
            let known = others.lazy.filter { $0 !== place }.compactMap(\.known).first { $0.isOf(rows) }
            return known ?? CompiledFlags(rows)
        }
    }

    /// Returns the faults that keep flags of the newest config from a major that lacks them, by key.
    func obstacles(in major: Int) -> [String: DefinitionFault] {
        guard let place = obstacles[major] else { return [:] }
        return place.value {
            let present = Self.rows(rows, of: major)
            let known = Set(present.map(\.key))
            let lacking = Self.rows(rows, of: nil).filter { $0.kind == .flag && !known.contains($0.key) }
            let keys = Set(lacking.map(\.key))
            guard !keys.isEmpty else { return [:] }
            let faults = DefinitionFault.all(of: (present + lacking).sorted { $0.precedes($1) }, keys)
            return Dictionary(faults.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private static func rows(_ rows: [Entry], of major: Int?) -> [Entry] {
        rows.filter { row in !row.isTombstone && (major.map { row.majors.contains($0) } ?? row.isNewest) }
    }
}

extension Entry {
    /// Returns true if both are the same row in the same state, apart from the majors that see it.
    func isSameRow(as other: Entry) -> Bool { id == other.id && revision == other.revision }
}
