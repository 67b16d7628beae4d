internal import AlmanacPOSIX
public import AlmanacTimestamps

/// What a client of `GET` or `HEAD` says that it has, or wants (RFC 9110 §13.1).
public struct ReadConditions {
    private let wanted: EntityTags?
    private let unmodifiedSince: Timestamp?
    private let known: EntityTags?
    private let modifiedSince: Timestamp?

    /// Reads the four headers; a malformed tag is refused, and a malformed date means nothing (§13.1.3).
    public init(_ headers: Headers) throws(Problem) {
        wanted = try headers.entityTags("If-Match")
        unmodifiedSince = wanted == nil ? headers.date("If-Unmodified-Since") : nil
        known = try headers.entityTags("If-None-Match")
        modifiedSince = known == nil ? headers.date("If-Modified-Since") : nil
    }

    /// Whether the client has the present answer, by the order of RFC 9110 §13.2.2.
    ///
    /// - Parameters:
    ///   - tag: of the present answer, without its quotes.
    ///   - lastModified: nil where nothing has ever changed.
    /// - Throws: `precondition-failed` where the client wants another answer than the present one.
    public func know(_ tag: String, _ lastModified: LastModified?) throws(Problem) -> Bool {
        if let wanted, !wanted.contain(tag) {
            throw Problem(.preconditionFailed, "the ETag is \"\(tag)\" now, which If-Match does not name")
        }
        if let unmodifiedSince, lastModified?.isAfter(unmodifiedSince) == true {
            throw Problem(.preconditionFailed, "this has changed since the time in If-Unmodified-Since")
        }
        if let known { return known.contain(tag) }
        guard let modifiedSince, let lastModified else { return false }
        return !lastModified.mayBeAfter(modifiedSince)
    }
}

extension Headers {
    /// The time in `If-Unmodified-Since`, which counts where there is no `If-Match` (RFC 9110 §13.1.4).
    public func unmodifiedSince() throws(Problem) -> Timestamp? {
        try entityTags("If-Match") == nil ? date("If-Unmodified-Since") : nil
    }

    fileprivate func date(_ name: String) -> Timestamp? {
        self[name].flatMap { Timestamp(httpDate: $0, now: Timestamp(milliseconds: WallClock.milliseconds)) }
    }
}

extension Response {
    /// The answer to a client that has it already, varied as the whole answer is (RFC 9110 §15.4.5).
    ///
    /// The tag is weak where the client's is: nginx weakens that of an answer that it compresses.
    public static func notModified(_ tag: String, for headers: Headers) -> Response {
        let weak = "W/\"\(tag)\""
        let isWeak = headers.list("If-None-Match")?.contains(weak) == true
        return Response(status: 304, headers: [("ETag", isWeak ? weak : "\"\(tag)\""), ("Vary", "Accept-Encoding")])
    }
}
