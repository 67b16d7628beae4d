internal import Synchronization

/// The whole config of an environment at one revision, in memory. Immutable but for what it has worked out already.
final class Snapshot: Sendable {
    let head: Head
    /// Every row, sorted by key and majors.
    let entries: [Entry]
    let majors: [Int: Major]
    /// The header fields that every answer from this snapshot carries.
    let headers: [(name: String, value: String)]

    /// Invariant: a view stands under its own major, and under nil the one that clients without a pin see.
    private let views = Mutex<[Int?: SnapshotView]>([:])

    init(head: Head, entries: [Entry], majors: [Int: Major]) {
        self.head = head
        self.entries = entries
        self.majors = majors
        headers = ConfigHeaders.fields(of: head)
    }

    /// What a major sees; nil stands for the newest config.
    func view(of major: Int?) -> SnapshotView {
        if let view = views.withLock({ $0[major] }) { return view }
        // Two threads may do this at once; the work is the same and either result will do.
        let view = SnapshotView(entries, major: major)
        views.withLock { $0[major] = view }
        return view
    }

    /// The newest row of a key, a tombstone included.
    func newest(_ key: String) -> Entry? {
        view(of: nil).entry(key)
    }

    /// The snapshot after some rows were inserted or replaced.
    func applying(_ changed: [Entry], head: Head, majors: [Int: Major]) -> Snapshot {
        let replaced = Set(changed.map(\.id))
        var merged: [Entry] = []
        merged.reserveCapacity(entries.count + changed.count)
        var incoming = changed.sorted { $0.precedes($1) }[...]
        for entry in entries where !replaced.contains(entry.id) {
            while let next = incoming.first, next.precedes(entry) { merged.append(incoming.removeFirst()) }
            merged.append(entry)
        }
        return Snapshot(head: head, entries: merged + incoming, majors: majors)
    }
}
