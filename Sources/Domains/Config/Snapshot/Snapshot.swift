internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacRevisions
internal import AlmanacTimestamps
internal import Synchronization

/// The whole config of an environment at one revision, in memory. Immutable apart from cached results.
final class Snapshot: Sendable {
    let head: Head
    /// All rows, sorted by key and majors.
    let entries: [Entry]
    let majors: [Int: Major]
    let flags: SnapshotFlags
    /// The text of the cursor.
    let cursor: String
    let flagsTag: PartTag
    /// The header lines that describe the head in every response, encoded once by the endpoints.
    let announcement = OnceValue<[UInt8]>()

    /// The views of clients without a pin and of each released major, computed at first use and read without a lock.
    private let newestView = OnceValue<SnapshotView>()
    private let majorViews: [Int: OnceValue<SnapshotView>]
    /// The same views without flags, unused if the config has no flags.
    private let newestViewWithoutFlags = OnceValue<SnapshotView>()
    private let majorViewsWithoutFlags: [Int: OnceValue<SnapshotView>]

    /// - Parameter flags: The flags of the previous snapshot, reused if no flag changed.
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

    /// Returns the view of a released major, or of the newest config if the major is nil.
    ///
    /// - Parameter seesFlags: False hides the flags.
    func view(of major: Int?, seesFlags: Bool = true) -> SnapshotView {
        guard seesFlags || flags.isEmpty else {
            let view = major.map { majorViewsWithoutFlags[$0] ?? OnceValue() } ?? newestViewWithoutFlags
            return view.value { SnapshotView(entries.compactMap(\.withoutFlag), major: major) }
        }
        guard let major else { return newestView.value { SnapshotView(entries, major: nil) } }
        let view = majorViews[major] ?? OnceValue()
        return view.value { SnapshotView(entries, major: major) }
    }

    /// Refuses a version that was never released or is retired.
    func check(_ pin: PinnedVersion) throws(ConfigRefusal) {
        guard let major = majors[pin.major], (pin.minor, pin.patch) <= (major.newest.minor, major.newest.patch) else {
            throw .versionNotReleased(pin, newest: head)
        }
        if major.retiredAt != nil { throw .majorNotServed(pin.major) }
    }

    /// Refuses a past state that never existed, is no longer stored, or is older than the pinned major.
    func checkPast(_ cursor: Cursor, _ pin: PinnedVersion?) throws(ConfigRefusal) {
        guard head.isOfSameHistory(as: cursor), cursor.revision <= head.revision else {
            throw .revisionNotFound(cursor, newest: head.cursor)
        }
        guard cursor.revision >= head.oldestRevision else { throw .revisionTrimmed(oldest: head.oldestRevision) }
        if let pin, let major = majors[pin.major], major.releasedRevision > cursor.revision {
            throw .majorReleasedLater(pin.major, at: major.releasedRevision)
        }
    }

    /// Returns the newest row of a key, which may be a tombstone.
    func newest(_ key: String) -> Entry? { view(of: nil).entry(key) }

    /// Returns the keys whose value in a major differs from the newest value, and the newest keys that the major lacks.
    func differingKeys(of major: Int) -> (kept: [String], lacking: [String]) {
        let (old, new) = (view(of: major), view(of: nil))
        let kept = old.live.filter { row in
            guard !row.isNewest, let other = new.entry(row.key) else { return !row.isNewest }
            return row.kind != other.kind || row.value != other.value
        }
        return (kept.map(\.key), new.live.map(\.key).filter { old.entry($0)?.isTombstone ?? true })
    }

    /// Returns the conflicts between the given keys and all keys in the nested form. Two keys conflict if one has a
    /// value where the other needs an object: `app` and `app.theme`.
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

    /// Returns the first key with a live plain value, among the keys from a position on that meet a condition.
    private func firstLive(from place: String, while holds: (String) -> Bool) -> String? {
        let first = entries.firstIndex(bisecting: { !$0.key.utf8.lexicographicallyPrecedes(place.utf8) })
        return entries[first...].prefix { holds($0.key) }
            .first { $0.isNewest && !$0.isTombstone && $0.kind == .value }?.key
    }

    /// Returns the snapshot with some rows inserted or replaced.
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
    /// The live entries, sorted by key.
    let live: [Entry]
    /// The live entries and the tombstones that clients need, from the oldest change to the newest.
    private let byTime: [Entry]
    /// The same rows, sorted by key.
    private let byKey: [Entry]

    private let array = OnceValue<[UInt8]>()
    private let object = OnceValue<[UInt8]>()
    private let nested = OnceValue<[UInt8]>()
    private let summary = OnceValue<[UInt8]>()
    /// The summary with the names of authors, for the names of the last request.
    private let namedSummary = Mutex<(namesDigest: String, bytes: [UInt8])?>(nil)
    /// The encoded deltas since each of the latest changes, without and with tombstones. Clients with the same latest
    /// change request the same bytes, so the cached deltas serve most requests.
    private let recentDeltas: [(plain: OnceValue<[UInt8]>, full: OnceValue<[UInt8]>)]

    /// The number of latest changes whose delta is cached.
    private static let cachedDeltaLimit = 64

    /// The representations of the whole config.
    enum Form: Sendable {
        case array
        /// An object with a member per key.
        case object
        /// An object whose keys are split at their dots.
        case nested
        /// An array of summaries of entries.
        case summary
    }

    init(_ entries: [Entry], major: Int?) {
        if let major {
            // A major never loses a key, except to a purge, whose tombstone begins at the first major.
            byKey = entries.filter { $0.majors.contains(major) && (!$0.isTombstone || $0.majors.first == 1) }
        } else {
            byKey = entries.filter(\.isNewest)
        }
        live = byKey.filter { !$0.isTombstone }
        byTime = byKey.sorted { $0.updatedAt < $1.updatedAt }
        recentDeltas = (0...min(Self.cachedDeltaLimit, byKey.count)).map { _ in (OnceValue(), OnceValue()) }
    }

    /// Returns the row of a key, found by binary search.
    func entry(_ key: String) -> Entry? {
        let index = byKey.firstIndex(bisecting: { !$0.key.utf8.lexicographicallyPrecedes(key.utf8) })
        guard index < byKey.count, byKey[index].key == key else { return nil }
        return byKey[index]
    }

    /// Returns the live entries after a key.
    func live(after key: String) -> ArraySlice<Entry> {
        live[live.firstIndex(bisecting: { key.utf8.lexicographicallyPrecedes($0.key.utf8) })...]
    }

    /// Returns the rows that changed after a time, tombstones included, sorted by key.
    func changed(after time: Timestamp) -> [Entry] { rows(from: start(after: time)) }

    func changed(after revision: Int64) -> [Entry] { rows(from: start(after: revision)) }

    /// Returns the array form of the rows that changed after a time.
    func delta(after time: Timestamp, hasTombstones: Bool = true) -> [UInt8] {
        delta(from: start(after: time), hasTombstones: hasTombstones)
    }

    /// Returns the array form of the rows that changed after a revision, tombstones included.
    func delta(after revision: Int64) -> [UInt8] { delta(from: start(after: revision), hasTombstones: true) }

    private func start(after time: Timestamp) -> Int { byTime.firstIndex(bisecting: { $0.updatedAt > time }) }

    // Rows sorted by time are also sorted by revision.
    private func start(after revision: Int64) -> Int { byTime.firstIndex(bisecting: { $0.revision > revision }) }

    private func rows(from start: Int) -> [Entry] { byTime[start...].sorted { $0.precedes($1) } }

    private func delta(from start: Int, hasTombstones: Bool) -> [UInt8] {
        func make() -> [UInt8] {
            RunnableThreads.makeWay()
            return Representation.array(rows(from: start).filter { hasTombstones || !$0.isTombstone }.map(\.json))
        }
        let age = byTime.count - start
        guard age < recentDeltas.count else { return make() }
        let kept = hasTombstones ? recentDeltas[age].full : recentDeltas[age].plain
        return kept.value(make)
    }

    private var members: [(key: String, value: [UInt8])] { live.map { ($0.key, $0.value ?? []) } }

    /// Returns the summary with the names of authors, encoded once for the same names.
    func summary(namesDigest: String, name: (ReleaseAuthor) -> JSONValue) -> [UInt8] {
        if let known = namedSummary.withLock({ $0 }), known.namesDigest == namesDigest { return known.bytes }
        let bytes = Representation.array(
            live.map { EntryJSON.summary($0, authorName: $0.author.map(name) ?? .null) })
        namedSummary.withLock { $0 = (namesDigest, bytes) }
        return bytes
    }

    /// Returns the whole config in a form, encoded once.
    func representation(_ form: Form) -> [UInt8] {
        switch form {
        case .array: array.value { Representation.array(live.map(\.json)) }
        case .object: object.value { Representation.object(members) }
        case .nested: nested.value { Representation.nested(members) }
        case .summary: summary.value { Representation.array(live.map { EntryJSON.summary($0) }) }
        }
    }
}

/// Two keys that conflict in the nested form.
struct Overlap: Hashable {
    let outer: String
    let inner: String

    var warning: String { "with nested=true, '\(inner)' is not split at its dots, because '\(outer)' has a value" }
}

extension Array {
    /// Returns the first index at which a condition holds, by binary search. The condition must hold from there on.
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

/// A value that is computed at first use and then read by any thread without a lock.
final class OnceValue<Value: Sendable>: @unchecked Sendable {
    // Safe because the value is set once, under `making` and before `isReady` is set, and never changes.
    private var ready: Value?
    private let isReady = Atomic(false)
    private let making = Mutex(())

    init() {}

    init(_ value: Value) {
        ready = value
        isReady.store(true, ordering: .releasing)
    }

    /// The value, or nil if it is not computed yet.
    var known: Value? { isReady.load(ordering: .acquiring) ? ready : nil }

    /// Returns the value. A thread that calls during the computation waits for its end.
    func value(_ make: () throws -> Value) rethrows -> Value {
        if !isReady.load(ordering: .acquiring) {
            RunnableThreads.makeWay()
            try making.withLock { _ in
                if isReady.load(ordering: .relaxed) { return }
                ready = try make()
                isReady.store(true, ordering: .releasing)
            }
        }
        return ready!
    }
}

enum Representation {
    /// Returns an array of encoded documents.
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

    static func object(_ members: [(key: String, value: [UInt8])]) -> [UInt8] {
        JSONWriter.object { writer in
            for member in members { writer.member(member.key, raw: member.value) }
        }
    }

    /// Returns an object in which `a.b` is the member `b` of the object `a`.
    ///
    /// If `a` itself is a key with a value, `a.b` stays an undivided member beside it.
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

    /// A node in the tree of key segments: a value, or members.
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
