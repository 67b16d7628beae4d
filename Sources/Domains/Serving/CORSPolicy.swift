internal import AlmanacEnvironments

/// The policy for calls by pages of other origins (Fetch standard, "CORS protocol").
///
/// Pages of any origin may read and follow public config and evaluate its flags. An evaluation is a POST, but changes
/// nothing, and cookies do not authorize it for other sites. All other calls need one of the environment's origins.
struct CORSPolicy {
    private let isPublic: Bool
    private let origins: [String]

    init(_ settings: EnvironmentSettings) {
        isPublic = settings.configRead == .everyone
        origins = settings.origins
    }

    /// Returns the header fields for a response to a request with an `Origin`.
    ///
    /// - Parameters:
    ///   - method: The method of the request, or the method that a preflight announces.
    ///   - methods: All methods of the path.
    ///   - isAuthorized: True if the request has a token, or a preflight announces one.
    func headers(
        origin: String, method: String, path: [String], isPreflight: Bool, methods: [String], isAuthorized: Bool
    ) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        if isOpen(method, path, isAuthorized) {
            headers.append(("Access-Control-Allow-Origin", "*"))
        } else {
            headers.append(("Vary", "Origin"))
            guard origins.contains(origin) else { return headers }
            headers.append(("Access-Control-Allow-Origin", origin))
        }
        if isPreflight {
            headers.append(("Access-Control-Allow-Methods", methods.joined(separator: ", ")))
            headers.append(
                (
                    "Access-Control-Allow-Headers",
                    "Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, Almanac-Message, "
                        + "Almanac-Min-Revision, Upload-Offset, "
                        + "Almanac-Other-Authorization" + (evaluatesFlags(path) ? ", X-API-Key, Almanac-Major" : "")
                ))
            headers.append(("Access-Control-Max-Age", "86400"))
        } else {
            headers.append(
                (
                    "Access-Control-Expose-Headers",
                    "ETag, Location, Retry-After, Almanac-Revision, Almanac-Cursor, Almanac-Version, Almanac-Major, "
                        + "Almanac-Full, Almanac-Stale, Almanac-Search-End, Almanac-Request-Id, Upload-Offset, "
                        + "Upload-Length, Almanac-Attachment"
                ))
        }
        return headers
    }

    /// Returns true if pages of any origin may send the call. A stream without a token has only events of the config.
    private func isOpen(_ method: String, _ path: [String], _ isAuthorized: Bool) -> Bool {
        guard isPublic else { return false }
        if evaluatesFlags(path) { return method == "POST" }
        guard ["GET", "HEAD"].contains(method), (2...3).contains(path.count) else { return false }
        return ["config", "config.json"].contains(path[1]) || path.count == 2 && path[1] == "events" && !isAuthorized
    }

    private func evaluatesFlags(_ path: [String]) -> Bool { path.dropFirst().first == "ofrep" }
}
