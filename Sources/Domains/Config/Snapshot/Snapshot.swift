internal import AlmanacHTTP

/// The whole config of an environment at one revision, in memory. Immutable but for what it has worked out already.
final class Snapshot: Sendable {
    let head: Head
    /// Every row, sorted by key and majors.
    let entries: [Entry]
    let majors: [Int: Major]
    /// The header fields that every answer from this snapshot carries.
    let headers: FieldLines
    /// The cursor as it is written.
    let cursor: String

    /// What clients without a pin see, and what each released major sees; worked out when first asked for, and read
    /// without a lock, since every request does.
    private let newestView = Lazy<SnapshotView>()
    private let majorViews: [Int: Lazy<SnapshotView>]

    init(head: Head, entries: [Entry], majors: [Int: Major]) {
        self.head = head
        self.entries = entries
        self.majors = majors
        headers = FieldLines(ConfigHeaders.fields(of: head))
        cursor = "\(head.cursor)"
        majorViews = majors.mapValues { _ in Lazy() }
    }

    /// What a released major sees; nil stands for the newest config.
    func view(of major: Int?) -> SnapshotView {
        guard let major else { return newestView.value { SnapshotView(entries, major: nil) } }
        let view = majorViews[major] ?? Lazy()
        return view.value { SnapshotView(entries, major: major) }
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
