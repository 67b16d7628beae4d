/// A history that streams follow, with its known revisions.
struct History: Sendable {
    private(set) var mark: Mark
    /// The streams that follow the history.
    var members: Set<Int> = []

    /// The known revisions of a history.
    struct Mark: Sendable, Equatable {
        /// The newest revision that was read from the database.
        var read: Int64
        /// The newest revision that a notification named.
        var announced: Int64 = 0
    }

    init(read: Int64) { mark = Mark(read: read) }

    var newest: Int64 { max(mark.read, mark.announced) }

    /// The time of the first announcement that has not been sent to any stream.
    private(set) var announcedAt: ContinuousClock.Instant?

    mutating func announce(_ revision: Int64, at now: ContinuousClock.Instant) {
        if revision > newest, announcedAt == nil { announcedAt = now }
        mark.announced = max(mark.announced, revision)
    }

    mutating func takeAnnouncedAt() -> ContinuousClock.Instant? {
        defer { announcedAt = nil }
        return announcedAt
    }

    /// Updates the mark with the newest revision in the database.
    ///
    /// - Parameter before: The mark when the read began. An older announcement of an unknown revision is dropped.
    /// - Returns: `true` if the history lost revisions, which means that it was replaced.
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

/// A queue of histories to read, each at most once, in order of arrival.
struct ReadQueue: Sendable {
    private var queue: [StreamScope] = []
    private var first = 0
    private var waiting: Set<StreamScope> = []

    mutating func append(_ scope: StreamScope) { if waiting.insert(scope).inserted { queue.append(scope) } }

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
