internal import AlmanacClientRuntime
internal import AlmanacHTTPSClient
internal import AlmanacJSON

/// A client of one environment on a server, with or without a token.
public struct RemoteEnvironment: Sendable {
    /// The server's URL without a trailing slash.
    public let base: String
    public let name: String
    let token: BearerToken?
    /// True if requests contain a token.
    public var hasToken: Bool { token != nil }
    let caFile: String?
    /// True if writes of config and flags become proposals instead of releases.
    public var proposes = false
    private let client: HTTPSClient
    private let onStale: @Sendable () -> Void

    static let byteLimit = 256 << 20

    /// - Parameters:
    ///   - login: the token of the signed-in user, used if the profile has no token file.
    ///   - needsToken: true if every request needs a token.
    ///   - timeout: the time limit for a request.
    ///   - onStale: called for every response that may be stale because the server's database is unreachable.
    public init(
        _ profile: Profile, login: BearerToken? = nil, needsToken: Bool = false, timeout: Duration = .seconds(30),
        onStale: @escaping @Sendable () -> Void = {}
    ) throws {
        self.onStale = onStale
        let address = try EnvironmentAddress(profile)
        (base, name) = (address.server, address.name)
        var token = login
        if let path = profile.tokenFile {
            do {
                token = try BearerToken(file: path.replacing("{environment}", with: name))
            } catch {
                throw path.contains("{environment}") ? error.described(as: "\(error)", environment: name) : error
            }
        }
        if let other = token?.environment, token?.isFor(name) == false {
            if needsToken {
                throw CallFailure(notAllowed: "the token is for the environment '\(other)'; give a token for '\(name)'")
            }
            token = nil
        }
        if needsToken, token == nil {
            throw CallFailure(
                notAllowed:
                    "a token is needed: give --token-file, set ALMANAC_TOKEN_FILE, name it in the profile, or sign in "
                    + "with 'almanac login'")
        }
        self.token = token
        caFile = profile.caFile
        client = HTTPSClient(caFile: profile.caFile, timeout: timeout, byteLimit: Self.byteLimit)
    }

    /// Returns true if both environments are on the same server, which can compare them.
    func isOnSameServer(as other: RemoteEnvironment) -> Bool {
        base.utf8.elementsEqual(other.base.utf8) && caFile == other.caFile
    }

    /// Sends a user's request to test the token. Throws the server's failure.
    public func checkUser() throws(CallFailure) { try send("GET", ["notes"], query: [("limit", "1")]) }

    /// Deletes all stored data of the token's owner.
    public func eraseAccount() throws(CallFailure) { try send("DELETE", ["account"]) }

    /// Sends a request to the environment and waits for the response.
    ///
    /// - Parameter path: the path segments after the environment's name; each is percent-encoded.
    /// - Throws: `CallFailure` for a status other than 2xx.
    @discardableResult func send(
        _ method: String, _ path: [String], query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [], json: JSONValue? = nil
    ) throws(CallFailure) -> TransportResponse<[UInt8]> {
        let proposal = proposes && Self.isRelease(method, path) ? [(name: "propose", value: "true")] : []
        var request = request(method, path, query: query + proposal, headers: headers)
        if let json {
            let isPatch = method == "PATCH" && !query.contains { $0.name == "replace" }
            let type = isPatch ? "application/merge-patch+json" : "application/json"
            request.headers.append((name: "Content-Type", value: type))
            request.body = json.serialized()
        }
        let response: TransportResponse<[UInt8]>
        do { response = try client.send(request) } catch { throw CallFailure(.unreachable, "\(base): \(error)") }
        guard response.isSuccess else { throw refusal(response, of: request) }
        if response.headers["Almanac-Stale"] == "true" { onStale() }
        return response
    }

    /// Returns true for a write that makes a release.
    private static func isRelease(_ method: String, _ path: [String]) -> Bool {
        guard method != "GET", method != "HEAD" else { return false }
        return switch path.first {
        case "config", "flags.json": true
        case "flags": ["enable", "disable"].contains(path.last)
        case "releases": path.last == "restore"
        default: false
        }
    }

    /// Sends a request outside of the environment. Returns the response whatever its status.
    func send(_ method: String, outside path: [String]) throws(CallFailure) -> TransportResponse<[UInt8]> {
        do { return try client.send(request(method, target: path, query: [], headers: [])) } catch {
            throw CallFailure(.unreachable, "\(base): \(error)")
        }
    }

    func refusal(_ response: TransportResponse<[UInt8]>, of request: TransportRequest? = nil) -> CallFailure {
        let failure = CallFailure(response, hadToken: token != nil)
        if failure.kind == .noEnvironment {
            return failure.described(as: "there is no environment '\(name)' at \(base)", environment: name)
        }
        guard response.status == 413, let body = request?.body else { return failure }
        return failure.described(as: "\(failure); this request has \(body.count) bytes, so change fewer keys at once")
    }

    func request(
        _ method: String, _ path: [String], query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = []
    ) -> TransportRequest {
        request(method, target: [name] + path, query: query, headers: headers)
    }

    private func request(
        _ method: String, target path: [String], query: [(name: String, value: String)],
        headers: [(name: String, value: String)]
    ) -> TransportRequest {
        let target = path.map { "/" + PercentEncoding.encode($0) }.joined()
        let url = base + target + (query.isEmpty ? "" : "?" + PercentEncoding.encode(query))
        var request = TransportRequest(method, url, byteLimit: Self.byteLimit)
        if let token { request.headers.append((name: "Authorization", value: "Bearer \(token.text)")) }
        request.headers += headers
        return request
    }
}

extension TransportResponse<[UInt8]> {
    var isSuccess: Bool { (200...299).contains(status) }

    func object() throws(CallFailure) -> JSONObject {
        guard let object = try document().objectValue else { throw .unexpected }
        return object
    }

    func list() throws(CallFailure) -> [JSONObject] {
        guard let objects = try document().arrayValue?.map(\.objectValue), !objects.contains(nil) else {
            throw .unexpected
        }
        return objects.compactMap(\.self)
    }

    private func document() throws(CallFailure) -> JSONValue {
        var limits = JSONLimits()
        limits.bytes = 256 << 20
        limits.depth = 600
        do { return try JSONValue(parsing: body, limits: limits) } catch { throw .unexpected }
    }
}

extension CallFailure {
    static let unexpected = CallFailure(.refused, "the response is not from an Almanac server; check the URL")
}
