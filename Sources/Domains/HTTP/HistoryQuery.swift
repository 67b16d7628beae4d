public import AlmanacTimestamps

/// The query for a page of a list with the newest elements first, filtered by author and time.
public struct HistoryQuery: Sendable {
    public let limit: Int64
    /// The upper bound of the elements' numbers, exclusive.
    public let before: Int64
    public let author: String?
    /// The lower bound of the elements' times, inclusive.
    public let since: Timestamp?
    /// The upper bound of the elements' times, exclusive.
    public let until: Timestamp?

    /// Parses the parameters `limit`, `before`, `author`, `since` and `until`, and accepts the names in `others`.
    public init(_ query: Query, and others: [String] = []) throws(Problem) {
        try query.allow(["limit", "before", "author", "since", "until"] + others)
        limit = try query.integer("limit", in: 1...1000) ?? 100
        before = try query.integer("before", in: 1...Int64.max) ?? .max
        author = query["author"]
        since = try query.time("since")
        until = try query.time("until")
    }

    /// True if the page begins at the newest element and has no filter.
    public var isUnfilteredFirstPage: Bool { before == .max && author == nil && since == nil && until == nil }
}

extension Query {
    /// Returns a parameter that is a time, or nil if it is absent.
    fileprivate func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = self[name] else { return nil }
        guard let time = Timestamp(text) else {
            throw Problem(.invalidParameter, "'\(name)' must be a time such as 2020-10-17T18:43:19Z")
        }
        return time
    }
}
