internal import AlmanacTargeting

/// The flags of a snapshot, shared with those after it until one of them changes.
final class SnapshotFlags: Sendable {
    /// The rows that are no plain values, tombstones included, sorted by key and majors.
    let rows: [Entry]
    /// What clients without a pin and those of each major have; compiled when first asked for, and read without a lock.
    private let newest: OnceValue<CompiledFlags>
    private let majors: [Int: OnceValue<CompiledFlags>]

    /// Whether there have never been any.
    var isEmpty: Bool { rows.isEmpty }

    /// The flags among some rows; those of the snapshot before, where it had the same.
    static func of(_ entries: [Entry], majors: [Int: Major], keeping before: SnapshotFlags?) -> SnapshotFlags {
        let rows = entries.filter { $0.kind != .value }
        if let before, before.majors.count == majors.count, majors.keys.allSatisfy({ before.majors[$0] != nil }),
            rows.elementsEqual(before.rows, by: { $0.isSameRow(as: $1) && $0.endMajor == $1.endMajor })
        {
            return before
        }
        return SnapshotFlags(rows, majors: majors, keeping: before)
    }

    private init(_ rows: [Entry], majors: [Int: Major], keeping before: SnapshotFlags?) {
        self.rows = rows
        // What a view has may be as it was although another view's has changed.
        func kept(_ known: CompiledFlags?, _ major: Int?) -> OnceValue<CompiledFlags> {
            guard let known, known.isOf(Self.rows(rows, of: major)) else { return OnceValue() }
            return OnceValue(known)
        }
        newest = kept(before?.newest.known, nil)
        self.majors = Dictionary(
            uniqueKeysWithValues: majors.keys.map { ($0, kept(before?.majors[$0]?.known, $0)) })
    }

    /// The flags that a released major has; nil stands for the newest config.
    func compiled(for major: Int?) -> CompiledFlags {
        let place = major.map { majors[$0] ?? OnceValue() } ?? newest
        return place.value {
            let rows = Self.rows(rows, of: major)
            // The same set for all who have the same flags: it may be large.
            let others = [newest] + majors.values
            let known = others.lazy.filter { $0 !== place }.compactMap(\.known).first { $0.isOf(rows) }
            return known ?? CompiledFlags(rows)
        }
    }

    private static func rows(_ rows: [Entry], of major: Int?) -> [Entry] {
        rows.filter { row in !row.isTombstone && (major.map { row.isSeen(by: $0) } ?? row.isNewest) }
    }
}

extension Entry {
    /// Whether both are one row in one state, but for the majors that see it.
    func isSameRow(as other: Entry) -> Bool { id == other.id && revision == other.revision }
}
