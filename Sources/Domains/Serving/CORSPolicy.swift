internal import AlmanacEnvironments

/// The pages of other origins that may call an environment (Fetch standard, "CORS protocol").
///
/// Public config may be read, and followed, from any page, and so may its flags be evaluated, which takes a POST but
/// changes nothing and which no cookie opens to other sites; everything else only from the environment's own origins.
struct CORSPolicy {
    private let isPublic: Bool
    private let origins: [String]

    init(_ settings: EnvironmentSettings) {
        isPublic = settings.configRead == .everyone
        origins = settings.origins
    }

    /// The header fields for an answer to a request with an `Origin`.
    ///
    /// - Parameters:
    ///   - method: the method that is, or in a preflight is to be, used.
    ///   - methods: all that the path takes.
    ///   - isAuthorized: whether the request is, or in a preflight is to be, sent with a token.
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
                        + "Almanac-Min-Revision, "
                        + "Almanac-Other-Authorization" + (evaluatesFlags(path) ? ", X-API-Key, Almanac-Major" : "")
                ))
            headers.append(("Access-Control-Max-Age", "86400"))
        } else {
            headers.append(
                (
                    "Access-Control-Expose-Headers",
                    "ETag, Location, Retry-After, Almanac-Revision, Almanac-Cursor, Almanac-Version, Almanac-Major, "
                        + "Almanac-Full, Almanac-Stale, Almanac-Search-End, Almanac-Request-Id"
                ))
        }
        return headers
    }

    /// Without a token a stream has events of the config alone.
    private func isOpen(_ method: String, _ path: [String], _ isAuthorized: Bool) -> Bool {
        guard isPublic else { return false }
        if evaluatesFlags(path) { return method == "POST" }
        guard ["GET", "HEAD"].contains(method), (2...3).contains(path.count) else { return false }
        return ["config", "config.json"].contains(path[1]) || path.count == 2 && path[1] == "events" && !isAuthorized
    }

    private func evaluatesFlags(_ path: [String]) -> Bool { path.dropFirst().first == "ofrep" }
}
