internal import AlmanacTimestamps

/// What one major, or a client without a pin, sees of a snapshot.
final class SnapshotView: Sendable {
    /// The entries that exist, sorted by key.
    let live: [Entry]
    /// With the tombstones that a client needs to be told of, from the oldest change to the newest.
    private let byTime: [Entry]
    /// Sorted by key, tombstones included.
    private let byKey: [Entry]

    private let array = Lazy<[UInt8]>()
    private let object = Lazy<[UInt8]>()
    private let nested = Lazy<[UInt8]>()
    /// The bytes of the deltas that begin at the last few changes, without and with tombstones. Clients that are up to date
    /// to the same change ask for the same bytes, so these serve most requests.
    private let recentDeltas: [(plain: Lazy<[UInt8]>, full: Lazy<[UInt8]>)]

    /// How many of the last changes have their delta kept.
    private static let keptDeltas = 64

    /// The forms in which the whole config can be had.
    enum Form: Sendable {
        /// An array of entries.
        case array
        /// One object with a member per key.
        case object
        /// One object, with keys split at their dots.
        case nested
    }

    init(_ entries: [Entry], major: Int?) {
        if let major {
            // Within a major nothing is removed; only a purge leaves a tombstone that begins at the first major.
            byKey = entries.filter { $0.isSeen(by: major) && (!$0.isTombstone || $0.firstMajor == 1) }
        } else {
            byKey = entries.filter(\.isNewest)
        }
        live = byKey.filter { !$0.isTombstone }
        byTime = byKey.sorted { $0.updatedAt < $1.updatedAt }
        recentDeltas = (0...min(Self.keptDeltas, byKey.count)).map { _ in (Lazy(), Lazy()) }
    }

    /// The row of a key, found by bisection.
    func entry(_ key: String) -> Entry? {
        let index = byKey.firstIndex(bisecting: { !$0.key.utf8.lexicographicallyPrecedes(key.utf8) })
        guard index < byKey.count, byKey[index].key == key else { return nil }
        return byKey[index]
    }

    /// The rows that changed after a time, tombstones included, sorted by key.
    func changed(after time: Timestamp) -> [Entry] { rows(from: start(after: time)) }

    /// The rows that changed after a revision, tombstones included, sorted by key.
    func changed(after revision: Int64) -> [Entry] { rows(from: start(after: revision)) }

    /// The array form of the rows that changed after a time.
    func delta(after time: Timestamp, hasTombstones: Bool = true) -> [UInt8] {
        delta(from: start(after: time), hasTombstones: hasTombstones)
    }

    /// The array form of the rows that changed after a revision, tombstones included.
    func delta(after revision: Int64) -> [UInt8] {
        delta(from: start(after: revision), hasTombstones: true)
    }

    private func start(after time: Timestamp) -> Int { byTime.firstIndex(bisecting: { $0.updatedAt > time }) }

    // Revisions and times rise together.
    private func start(after revision: Int64) -> Int { byTime.firstIndex(bisecting: { $0.revision > revision }) }

    private func rows(from start: Int) -> [Entry] { byTime[start...].sorted { $0.precedes($1) } }

    private func delta(from start: Int, hasTombstones: Bool) -> [UInt8] {
        func make() -> [UInt8] {
            Representation.array(rows(from: start).filter { hasTombstones || !$0.isTombstone }.map(\.json))
        }
        let age = byTime.count - start
        guard age < recentDeltas.count else { return make() }
        let kept = hasTombstones ? recentDeltas[age].full : recentDeltas[age].plain
        return kept.value(make)
    }

    private var members: [(key: String, value: [UInt8])] { live.map { ($0.key, $0.value ?? []) } }

    /// The whole config in a form, worked out once.
    func representation(_ form: Form) throws -> [UInt8] {
        switch form {
        case .array: array.value { Representation.array(live.map(\.json)) }
        case .object: object.value { Representation.object(members) }
        case .nested: try nested.value { try Representation.nested(members) }
        }
    }
}

extension Array {
    /// The first index from which on a condition holds, for elements sorted so that it holds for none before.
    fileprivate func firstIndex(bisecting holds: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
