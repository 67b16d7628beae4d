public import AlmanacTimestamps

/// What is asked of a list that runs back in time: a page of it, perhaps of one author, or of some time, alone.
public struct HistoryQuery: Sendable {
    public let limit: Int64
    /// Only what has a smaller number.
    public let before: Int64
    public let author: String?
    /// Only what happened at this time or later.
    public let since: Timestamp?
    /// Only what happened before this time.
    public let until: Timestamp?

    /// Reads the parameters `limit`, `before`, `author`, `since` and `until`.
    ///
    /// - Parameter others: names of further parameters that the call knows.
    public init(_ query: Query, and others: [String] = []) throws(Problem) {
        try query.allow(["limit", "before", "author", "since", "until"] + others)
        limit = try query.integer("limit", in: 1...1000) ?? 100
        before = try query.integer("before", in: 1...Int64.max) ?? .max
        author = query["author"]
        since = try query.time("since")
        until = try query.time("until")
    }

    /// Whether anything is left out that is newer.
    public var isWhole: Bool { before == .max && author == nil && since == nil && until == nil }
}

extension Query {
    /// The value of a parameter that is a time, nil when it is not given.
    fileprivate func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = self[name] else { return nil }
        guard let time = Timestamp(text) else {
            throw Problem(.invalidParameter, "'\(name)' must be a time such as 2020-10-17T18:43:19Z")
        }
        return time
    }
}
