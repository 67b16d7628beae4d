/// What is known of a history that streams follow.
struct History: Sendable {
    private(set) var mark: Mark
    /// The streams that follow it.
    var members: Set<Int> = []

    /// How far a history is known.
    struct Mark: Sendable, Equatable {
        /// The newest revision that was read from the database.
        var read: Int64
        /// The newest revision that a notification told of.
        var announced: Int64 = 0
    }

    init(read: Int64) {
        mark = Mark(read: read)
    }

    var newest: Int64 { max(mark.read, mark.announced) }

    /// When the first announcement was heard of that no stream has been told of yet.
    private(set) var heardAt: ContinuousClock.Instant?

    mutating func announce(_ revision: Int64) {
        if revision > newest, heardAt == nil { heardAt = .now }
        mark.announced = max(mark.announced, revision)
    }

    mutating func takeHeardAt() -> ContinuousClock.Instant? {
        defer { heardAt = nil }
        return heardAt
    }

    /// Takes the newest revision as it was read.
    ///
    /// - Parameter before: the mark when the reading began. An announcement from before it was nothing if the
    ///   database knows nothing of it.
    /// - Returns: whether the history has lost revisions, so that it is another one.
    mutating func note(read revision: Int64, before: Mark) -> Bool {
        if revision < before.read {
            mark = Mark(read: revision)
            return true
        }
        mark.read = max(mark.read, revision)
        if mark.announced == before.announced { mark.announced = min(mark.announced, revision) }
        return false
    }
}
