internal import AlmanacJSON
internal import AlmanacRevisions
internal import AlmanacTimestamps
internal import Synchronization

/// The whole config of an environment at one revision, in memory. Immutable but for what it has worked out already.
final class Snapshot: Sendable {
    let head: Head
    /// Every row, sorted by key and majors.
    let entries: [Entry]
    let majors: [Int: Major]
    let flags: SnapshotFlags
    /// The cursor as it is written.
    let cursor: String
    let flagsTag: PartTag
    /// The lines that describe the head in every answer, ready to send. The endpoints make them, once.
    let announcement = OnceValue<[UInt8]>()

    /// The views of clients without a pin and of each released major; worked out when first asked for, and read
    /// without a lock, since every request does.
    private let newestView = OnceValue<SnapshotView>()
    private let majorViews: [Int: OnceValue<SnapshotView>]
    /// The same for those who may not read flags, where there are any.
    private let newestViewWithoutFlags = OnceValue<SnapshotView>()
    private let majorViewsWithoutFlags: [Int: OnceValue<SnapshotView>]

    /// - Parameter flags: of the snapshot before; they are kept where none has changed.
    init(head: Head, entries: [Entry], majors: [Int: Major], keeping flags: SnapshotFlags? = nil) {
        self.head = head
        self.entries = entries
        self.majors = majors
        cursor = "\(head.cursor)"
        majorViews = majors.mapValues { _ in OnceValue() }
        self.flags = SnapshotFlags.of(entries, majors: majors, keeping: flags)
        flagsTag = PartTag(ofFlags: self.flags.rows, in: head)
        majorViewsWithoutFlags = self.flags.isEmpty ? [:] : majors.mapValues { _ in OnceValue() }
    }

    /// The view of a released major; nil stands for the newest config.
    ///
    /// - Parameter seesFlags: without, it is as if the flags weren't there.
    func view(of major: Int?, seesFlags: Bool = true) -> SnapshotView {
        guard seesFlags || flags.isEmpty else {
            let view = major.map { majorViewsWithoutFlags[$0] ?? OnceValue() } ?? newestViewWithoutFlags
            return view.value { SnapshotView(entries.compactMap(\.withoutFlag), major: major) }
        }
        guard let major else { return newestView.value { SnapshotView(entries, major: nil) } }
        let view = majorViews[major] ?? OnceValue()
        return view.value { SnapshotView(entries, major: major) }
    }

    /// Refuses a version that was never released, or has been retired.
    func check(_ pin: PinnedVersion) throws(ConfigRefusal) {
        guard let major = majors[pin.major], (pin.minor, pin.patch) <= (major.newest.minor, major.newest.patch) else {
            throw .versionNotReleased(pin, newest: head)
        }
        if major.retiredAt != nil { throw .majorNotServed(pin.major) }
    }

    /// Refuses a state of the past that never was, is not kept any more, or is older than the pinned major.
    func checkPast(_ cursor: Cursor, _ pin: PinnedVersion?) throws(ConfigRefusal) {
        guard head.isOfSameHistory(as: cursor), cursor.revision <= head.revision else {
            throw .revisionNotFound(cursor, newest: head.cursor)
        }
        guard cursor.revision >= head.oldestRevision else { throw .revisionNotKept(oldest: head.oldestRevision) }
        if let pin, let major = majors[pin.major], major.releasedRevision > cursor.revision {
            throw .majorReleasedLater(pin.major, at: major.releasedRevision)
        }
    }

    /// The newest row of a key, a tombstone included.
    func newest(_ key: String) -> Entry? {
        view(of: nil).entry(key)
    }

    /// The pairs among these keys of values and all others of which one has a value where the nested form would need an
    /// object for the other: `app` and `app.theme`.
    func overlaps(of keys: [String]) -> [Overlap] {
        var overlaps: Set<Overlap> = []
        for key in keys where firstLive(from: key, while: { $0 == key }) != nil {
            for dot in key.indices where key[dot] == "." {
                let outer = String(key[..<dot])
                guard firstLive(from: outer, while: { $0 == outer }) != nil else { continue }
                overlaps.insert(Overlap(outer: outer, inner: key))
            }
            let beginning = key + "."
            if let inner = firstLive(from: beginning, while: { $0.hasPrefix(beginning) }) {
                overlaps.insert(Overlap(outer: key, inner: inner))
            }
        }
        return overlaps.sorted { ($0.outer, $0.inner) < ($1.outer, $1.inner) }
    }

    /// The first key that is there, among those from a place on for which a condition holds.
    private func firstLive(from place: String, while holds: (String) -> Bool) -> String? {
        let first = entries.firstIndex(bisecting: { !$0.key.utf8.lexicographicallyPrecedes(place.utf8) })
        return entries[first...].prefix { holds($0.key) }
            .first { $0.isNewest && !$0.isTombstone && $0.kind == .value }?.key
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
        return Snapshot(head: head, entries: merged + incoming, majors: majors, keeping: flags)
    }
}

/// The part of a snapshot that one major, or a client without a pin, sees.
final class SnapshotView: Sendable {
    /// The entries that exist, sorted by key.
    let live: [Entry]
    /// With the tombstones that a client needs, from the oldest change to the newest.
    private let byTime: [Entry]
    /// Sorted by key, tombstones included.
    private let byKey: [Entry]

    private let array = OnceValue<[UInt8]>()
    private let object = OnceValue<[UInt8]>()
    private let nested = OnceValue<[UInt8]>()
    private let summary = OnceValue<[UInt8]>()
    /// The bytes of the deltas that begin at the last few changes, without and with tombstones. Clients that are up to
    /// date to the same change ask for the same bytes, so these serve most requests.
    private let recentDeltas: [(plain: OnceValue<[UInt8]>, full: OnceValue<[UInt8]>)]

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
        /// An array of what a list of entries shows.
        case summary
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
        recentDeltas = (0...min(Self.keptDeltas, byKey.count)).map { _ in (OnceValue(), OnceValue()) }
    }

    /// The row of a key, found by bisection.
    func entry(_ key: String) -> Entry? {
        let index = byKey.firstIndex(bisecting: { !$0.key.utf8.lexicographicallyPrecedes(key.utf8) })
        guard index < byKey.count, byKey[index].key == key else { return nil }
        return byKey[index]
    }

    /// The entries that exist whose keys come after another.
    func live(after key: String) -> ArraySlice<Entry> {
        live[live.firstIndex(bisecting: { key.utf8.lexicographicallyPrecedes($0.key.utf8) })...]
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
    func representation(_ form: Form) -> [UInt8] {
        switch form {
        case .array: array.value { Representation.array(live.map(\.json)) }
        case .object: object.value { Representation.object(members) }
        case .nested: nested.value { Representation.nested(members) }
        case .summary: summary.value { Representation.array(live.map(EntryJSON.summary)) }
        }
    }
}

/// Two keys that cannot both stand where the nested form has them.
struct Overlap: Hashable {
    let outer: String
    let inner: String

    var warning: String {
        "'\(outer)' has a value, so with nested=true '\(inner)' does not stand inside it but beside it, undivided"
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

/// A value that is worked out once, when it is first asked for, and then read by any thread without a lock.
final class OnceValue<Value: Sendable>: @unchecked Sendable {
    // Safe because the value is set once, before `isReady` says so and under `making`, and never changed after.
    private var ready: Value?
    private let isReady = Atomic(false)
    private let making = Mutex(())

    init() {}

    /// - Parameter value: worked out already.
    init(_ value: Value) {
        ready = value
        isReady.store(true, ordering: .releasing)
    }

    /// The value if it is worked out.
    var known: Value? { isReady.load(ordering: .acquiring) ? ready : nil }

    /// The value. Threads that ask for it while it is worked out wait for it.
    func value(_ make: () throws -> Value) rethrows -> Value {
        if !isReady.load(ordering: .acquiring) {
            try making.withLock { _ in
                if isReady.load(ordering: .relaxed) { return }
                ready = try make()
                isReady.store(true, ordering: .releasing)
            }
        }
        return ready!
    }
}

/// The JSON forms of many entries.
enum Representation {
    /// An array of documents that are ready to send.
    static func array(_ documents: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(documents.reduce(2) { $0 + $1.count + 1 })
        bytes.append(UInt8(ascii: "["))
        for (index, document) in documents.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += document
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    /// One object with a member per key, in the order given.
    static func object(_ members: [(key: String, value: [UInt8])]) -> [UInt8] {
        JSONWriter.object { writer in
            for member in members { writer.member(member.key, raw: member.value) }
        }
    }

    /// One object in which `a.b` is the member `b` of the object `a`.
    ///
    /// Where `a` itself is a key, and so has a value, `a.b` stays undivided beside it.
    static func nested(_ members: [(key: String, value: [UInt8])]) -> [UInt8] {
        let root = Node()
        let keys = Set(members.map(\.key))
        for member in members { root.insert(path(of: member.key, among: keys)[...], member.value) }
        return JSONWriter.object { root.writeMembers(to: &$0) }
    }

    private static func path(of key: String, among keys: Set<String>) -> [String] {
        var segments: [String] = []
        var rest = key[...]
        while let dot = rest.firstIndex(of: "."), !keys.contains(String(key[..<dot])) {
            segments.append(String(rest[..<dot]))
            rest = rest[rest.index(after: dot)...]
        }
        return segments + [String(rest)]
    }

    /// A place in the tree of segments: a value, or members.
    private final class Node {
        private var value: [UInt8]?
        private var members: [(name: String, node: Node)] = []
        private var index: [String: Int] = [:]

        func insert(_ path: ArraySlice<String>, _ value: [UInt8]) {
            guard let name = path.first else {
                self.value = value
                return
            }
            if index[name] == nil {
                index[name] = members.count
                members.append((name, Node()))
            }
            members[index[name]!].node.insert(path.dropFirst(), value)
        }

        func writeMembers(to writer: inout JSONWriter) {
            for (name, node) in members {
                if let value = node.value {
                    writer.member(name, raw: value)
                } else {
                    writer.member(name, object: { node.writeMembers(to: &$0) })
                }
            }
        }
    }
}
