internal import AlmanacPOSIX
public import AlmanacTimestamps

/// The conditions of a `GET` or `HEAD` request (RFC 9110 §13.1).
public struct ReadConditions {
    private let ifMatch: EntityTags?
    private let unmodifiedSince: Timestamp?
    private let ifNoneMatch: EntityTags?
    private let modifiedSince: Timestamp?

    /// Parses the four headers. Refuses a malformed tag, but ignores a malformed date (§13.1.3).
    public init(_ headers: Headers) throws(Problem) {
        ifMatch = try headers.entityTags("If-Match")
        unmodifiedSince = ifMatch == nil ? headers.date("If-Unmodified-Since") : nil
        ifNoneMatch = try headers.entityTags("If-None-Match")
        modifiedSince = ifNoneMatch == nil ? headers.date("If-Modified-Since") : nil
    }

    /// Returns true if the client has the current response, in the order of checks of RFC 9110 §13.2.2.
    ///
    /// - Parameters:
    ///   - tag: The tag of the current response, without quotes.
    ///   - lastModified: Nil if nothing has ever changed.
    /// - Throws: `precondition-failed` if the client requires another response.
    public func isNotModified(_ tag: String, _ lastModified: LastModified?) throws(Problem) -> Bool {
        if let ifMatch, !ifMatch.matches(tag) {
            throw Problem(.preconditionFailed, "the ETag is now \"\(tag)\", which If-Match does not contain")
        }
        if let unmodifiedSince, lastModified?.isAfter(unmodifiedSince) == true {
            throw Problem(.preconditionFailed, "the resource has changed since the time in If-Unmodified-Since")
        }
        if let ifNoneMatch { return ifNoneMatch.matches(tag) }
        guard let modifiedSince, let lastModified else { return false }
        return !lastModified.mayBeAfter(modifiedSince)
    }
}

extension Headers {
    /// Returns the time in `If-Unmodified-Since`, which is ignored if there is an `If-Match` (RFC 9110 §13.1.4).
    public func unmodifiedSince() throws(Problem) -> Timestamp? {
        try entityTags("If-Match") == nil ? date("If-Unmodified-Since") : nil
    }

    fileprivate func date(_ name: String) -> Timestamp? {
        self[name].flatMap { Timestamp(httpDate: $0, now: Timestamp(milliseconds: WallClock.milliseconds)) }
    }
}

extension Response {
    /// Returns a 304 response with the `Vary` of the full response (RFC 9110 §15.4.5).
    ///
    /// The tag is weak if the client's is, because nginx weakens the tag of a response that it compresses.
    public static func notModified(_ tag: String, for headers: Headers) -> Response {
        var response = Response(status: 304)
        let text = headers.list("If-None-Match") ?? ""
        // Most clients send the quoted tag alone, which needs no search.
        let isWeak = text.utf8.count > tag.utf8.count + 2 && text.contains("W/\"\(tag)\"")
        response.headers.append(tag: tag, isWeak: isWeak)
        response.headers.append(line: "Vary: Accept-Encoding\r\n")
        return response
    }
}
