internal import AlmanacHTTPSClient
internal import AlmanacJSON

/// One environment of a server, as somebody with a token, or without one, sees it.
public struct RemoteEnvironment: Sendable {
    /// Without a slash at its end.
    let base: String
    public let name: String
    let token: BearerToken?
    private let caFile: String?
    private let client: HTTPSClient

    /// - Parameters:
    ///   - login: the token of who has signed in, for where the profile names no file with one.
    ///   - needsToken: whether nothing that is asked can be had without one.
    public init(
        _ profile: Profile, login: BearerToken? = nil, needsToken: Bool = false
    ) throws(SettingsFailure) {
        let address = try EnvironmentAddress(profile)
        (base, name) = (address.server, address.name)
        var token = login
        if let path = profile.tokenFile {
            token = try BearerToken(file: path.replacing("{environment}", with: name))
        }
        if let other = token?.environment, token?.isFor(name) == false {
            if needsToken {
                throw SettingsFailure("the token is for the environment '\(other)'; '\(name)' needs one of its own")
            }
            token = nil
        }
        if needsToken, token == nil {
            throw SettingsFailure(
                "a token is needed: give --token-file, set ALMANAC_TOKEN_FILE, name it in the profile, or sign in with "
                    + "'almanac login'")
        }
        self.token = token
        caFile = profile.caFile
        client = HTTPSClient(caFile: profile.caFile, timeout: .seconds(30), largestAnswer: 256 << 20)
    }

    /// Whether both are of one server, which can compare them by itself.
    func isBeside(_ other: RemoteEnvironment) -> Bool {
        base.utf8.elementsEqual(other.base.utf8) && caFile == other.caFile
    }

    /// Sends a request for something in the environment.
    ///
    /// - Parameters:
    ///   - path: segments after the environment's; each is percent-encoded.
    /// - Throws: `CallFailure` for every status but 2xx.
    @discardableResult
    func send(
        _ method: String, _ path: [String], query: [(String, String)] = [],
        headers: [(name: String, value: String)] = [], json: JSONValue? = nil
    ) throws(CallFailure) -> WebAnswer {
        var request = request(method, path, query: query)
        request.headers += headers
        if let json {
            let type = method == "PATCH" ? "application/merge-patch+json" : "application/json"
            request.headers.append((name: "Content-Type", value: type))
            request.body = json.serialized()
        }
        let answer: WebAnswer
        do { answer = try client.send(request) } catch { throw CallFailure(error, from: base) }
        guard (200...299).contains(answer.status) else { throw CallFailure(answer, hadToken: token != nil) }
        return answer
    }

    /// Sends a request whose answer comes bit by bit, and reads it to its end.
    func open(
        _ request: WebRequest, silence: Duration, _ receive: @escaping ([UInt8]) -> Bool
    ) throws(CallFailure) {
        let answer: WebAnswer
        do { answer = try client.stream(request, silence: silence, receive) } catch {
            throw CallFailure(error, from: base)
        }
        guard answer.status == 200 else { throw CallFailure(answer, hadToken: token != nil) }
    }

    func request(_ method: String, _ path: [String], query: [(String, String)] = []) -> WebRequest {
        let target = ([name] + path).map { "/" + PercentEncoding.encode($0) }.joined()
        let pairs = query.map { "\($0.0)=\(PercentEncoding.encode($0.1))" }
        let text = base + target + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
        // Encoded, nothing is left that is no part of a URL.
        guard let address = WebAddress(text) else { preconditionFailure("no URL: \(text)") }
        var request = WebRequest(method, address)
        if let token { request.headers.append((name: "Authorization", value: "Bearer \(token.text)")) }
        return request
    }
}
