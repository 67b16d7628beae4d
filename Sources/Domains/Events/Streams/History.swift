/// A history that streams follow: how far it is known, and who follows it.
struct History: Sendable {
    private(set) var mark: Mark
    /// The streams that follow it.
    var members: Set<Int> = []

    /// How far a history is known.
    struct Mark: Sendable, Equatable {
        /// The newest revision that was read from the database.
        var read: Int64
        /// The newest revision that a notification named.
        var announced: Int64 = 0
    }

    init(read: Int64) {
        mark = Mark(read: read)
    }

    var newest: Int64 { max(mark.read, mark.announced) }

    /// When the first announcement arrived that no stream has been sent yet.
    private(set) var announcedAt: ContinuousClock.Instant?

    mutating func announce(_ revision: Int64, at now: ContinuousClock.Instant) {
        if revision > newest, announcedAt == nil { announcedAt = now }
        mark.announced = max(mark.announced, revision)
    }

    mutating func takeAnnouncedAt() -> ContinuousClock.Instant? {
        defer { announcedAt = nil }
        return announcedAt
    }

    /// Takes the newest revision as it was read.
    ///
    /// - Parameter before: the mark when the reading began. An announcement from before it was nothing if the
    ///   database knows nothing of it.
    /// - Returns: whether the history has lost revisions, so that it is another one.
    mutating func didRead(_ revision: Int64, before: Mark) -> Bool {
        if revision < before.read {
            mark = Mark(read: revision)
            return true
        }
        mark.read = max(mark.read, revision)
        if mark.announced == before.announced { mark.announced = min(mark.announced, revision) }
        return false
    }
}

/// Histories that wait to be read, each once, in the order in which they came.
struct ReadQueue: Sendable {
    private var queue: [StreamScope] = []
    private var first = 0
    private var waiting: Set<StreamScope> = []

    mutating func append(_ scope: StreamScope) {
        if waiting.insert(scope).inserted { queue.append(scope) }
    }

    mutating func next() -> StreamScope? {
        guard first < queue.count else { return nil }
        let scope = queue[first]
        first += 1
        if first * 2 > queue.count {
            queue.removeFirst(first)
            first = 0
        }
        waiting.remove(scope)
        return scope
    }
}
