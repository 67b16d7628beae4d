internal import AlmanacCryptography
public import AlmanacHTTPSClient
internal import AlmanacJSON
public import AlmanacPOSIX
public import AlmanacTimestamps
internal import AlmanacTransport
internal import Synchronization

/// Signs a browser's user in at an OpenID Connect provider as a confidential client: authorization code with PKCE
/// (OpenID Connect Core §3.1, RFC 7636).
///
/// Safe to use from any number of threads. Calls block for some seconds at most.
public final class CodeFlow: Sendable {
    private let issuer: WebAddress
    private let client: (id: String, secret: String, scopes: [String])
    private let verifier: TokenVerifier
    private let https: HTTPSClient
    private let waits: WaitLimit
    private let clock: ServerClock
    private let report: @Sendable (ProviderFailure) -> Void
    /// The endpoints from the provider's last discovery document.
    private let cachedEndpoints = Mutex<(endpoints: Endpoints, discoveredAt: ContinuousClock.Instant)?>(nil)

    private struct Endpoints {
        let authorization: WebAddress
        let token: WebAddress
        /// True if the provider accepts requests for single claims (OpenID Connect Core §5.5).
        let supportsClaims: Bool
    }

    /// The time for which the discovery document is cached.
    private static let cacheLifetime = Duration.seconds(60)

    /// - Parameters:
    ///   - client: the client's id and secret at the provider, and the scopes to request besides `openid`.
    ///   - verifier: checks the tokens of the same issuer.
    ///   - waits: limits the threads that wait for the provider.
    ///   - report: receives the failure of every request without a usable response.
    public init(
        issuer: WebAddress, client: (id: String, secret: String, scopes: [String]), verifier: TokenVerifier,
        caFile: String?, waits: WaitLimit, clock: ServerClock = .system,
        report: @escaping @Sendable (ProviderFailure) -> Void
    ) {
        self.issuer = issuer
        self.client = client
        self.verifier = verifier
        https = HTTPSClient(caFile: caFile, byteLimit: 256 << 10)
        self.waits = waits
        self.clock = clock
        self.report = report
    }

    /// The values that bind one sign-in to its browser.
    public struct Attempt: Sendable {
        let state: String
        let nonce: String
        let verifier: String
        /// The URL to which the provider redirects the browser.
        let redirect: String

        /// - Parameters:
        ///   - state: returns with the browser.
        ///   - nonce: returns in the ID token.
        ///   - verifier: proves that the client which requested the code redeems it: 43 to 128 unreserved characters.
        public init(state: String, nonce: String, verifier: String, redirect: String) {
            self.state = state
            self.nonce = nonce
            self.verifier = verifier
            self.redirect = redirect
        }
    }

    /// Returns the provider's page to which the browser is sent.
    ///
    /// - Parameters:
    ///   - isFresh: makes the provider ask the user to sign in again.
    ///   - claims: the names of claims to request in the ID token, besides those with the person's name; nil for none
    ///     of both.
    public func page(for attempt: Attempt, isFresh: Bool, claims: [String]?) throws(SignInFailure) -> String {
        let endpoints = try callingProvider { () throws(ProviderFailure) -> Endpoints in try self.endpoints() }
        let endpoint = endpoints.authorization.text
        var fields = [
            ("response_type", "code"), ("client_id", client.id), ("redirect_uri", attempt.redirect),
            ("scope", (["openid"] + client.scopes).joined(separator: " ")), ("state", attempt.state),
            ("nonce", attempt.nonce), ("code_challenge", Base64URL.encode(SHA256.digest(Array(attempt.verifier.utf8)))),
            ("code_challenge_method", "S256"),
        ]
        if isFresh { fields.append(("max_age", "0")) }
        if let claims, endpoints.supportsClaims {
            var names: [String] = []
            for name in claims.compactMap({ $0.split(separator: ".").first.map(String.init) }) + Claims.nameClaims
            where !names.contains(name) {
                names.append(name)
            }
            let request: JSONValue = ["id_token": .object(JSONObject(names.map { ($0, .null) }))]
            fields.append(("claims", String(decoding: request.serialized(), as: UTF8.self)))
        }
        return endpoint + (endpoint.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + Form.encode(fields)
    }

    /// Redeems the code that the browser brought back.
    ///
    /// - Parameters:
    ///   - authenticatedSince: the earliest time at which the user must have signed in; nil for any.
    ///   - claims: the names of the claims to read.
    public func redeem(
        _ code: String, of attempt: Attempt, authenticatedSince: Timestamp?, claims: [String]
    ) throws(SignInFailure) -> SignedInUser {
        let fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", attempt.redirect),
            ("code_verifier", attempt.verifier),
        ]
        let answer = try callingProvider { () throws(ProviderFailure) in
            try send(Form.encode(fields), to: try endpoints().token)
        }
        guard let token = answer["id_token"]?.stringValue else {
            // `invalid_grant` is the usual error: the code was used before, or is another client's.
            let word = answer["error"]?.stringValue.map { String($0.prefix(100)) } ?? "no id_token was returned"
            report(ProviderFailure("\(issuer): the provider refused a code: \(word)"))
            throw .refused("the provider refused the code: \(word)")
        }
        do throws(TokenFailure) {
            return try verifier.verify(
                identity: token, of: client.id, nonce: attempt.nonce, authenticatedSince: authenticatedSince,
                claims: claims)
        } catch {
            report(ProviderFailure("\(issuer): an ID token is not valid: \(error)"))
            throw error.isTemporary ? .unavailable : .refused("\(error)")
        }
    }

    private func send(_ form: String, to address: WebAddress) throws(ProviderFailure) -> JSONObject {
        // RFC 6749 §2.3.1 requires both values to be form-encoded before they are joined.
        let login = Base64.encode(Array((Form.encode(client.id) + ":" + Form.encode(client.secret)).utf8))
        let request = TransportRequest(
            "POST", address.text,
            headers: [
                ("Authorization", "Basic \(login)"), ("Content-Type", "application/x-www-form-urlencoded"),
                ("Accept", "application/json"),
            ], body: Array(form.utf8))
        let response: TransportResponse<[UInt8]>
        do { response = try https.send(request) } catch { throw ProviderFailure("\(address): \(error)") }
        guard response.status == 200 || response.status == 400,
            let object = (try? JSONValue(parsing: response.body))?.objectValue
        else {
            throw ProviderFailure(
                response.status == 401
                    ? "\(address): the status is 401; check 'client_id' and the secret in 'client_secret_file'"
                    : "\(address): expected a JSON object with the status 200 or 400, found \(response.status)")
        }
        return object
    }

    private func endpoints() throws(ProviderFailure) -> Endpoints {
        let now = clock.now()
        if let known = cachedEndpoints.withLock(\.self), now - known.discoveredAt < Self.cacheLifetime {
            return known.endpoints
        }
        let document = try KeySource.discoveryDocument(of: issuer, https)
        let endpoints = Endpoints(
            authorization: try KeySource.address("authorization_endpoint", in: document, of: issuer),
            token: try KeySource.address("token_endpoint", in: document, of: issuer),
            supportsClaims: (try? JSONValue(parsing: document))?.objectValue?["claims_parameter_supported"] == true)
        cachedEndpoints.withLock { $0 = (endpoints, now) }
        return endpoints
    }

    /// Calls the provider. Throws `busy` if too many threads wait for it already.
    private func callingProvider<Result>(_ ask: () throws(ProviderFailure) -> Result) throws(SignInFailure) -> Result {
        guard waits.tryEnter() else { throw .busy }
        defer { waits.leave() }
        do {
            return try ask()
        } catch {
            cachedEndpoints.withLock { $0 = nil }
            report(error)
            throw .unavailable
        }
    }
}

/// The user who signed in, according to the ID token.
public struct SignedInUser: Sendable {
    public let issuer: String
    /// The subject, 1 to 255 bytes long.
    public let subject: String
    /// The person's name for others; nil if the provider gives none.
    public let name: String?
    /// The texts of each claim to read, by the claim's name.
    public let claims: [String: [String]]
}

/// The reason why a sign-in failed.
public enum SignInFailure: Error, Equatable, Sendable {
    /// The provider was unreachable or sent no usable response; the failure was reported.
    case unavailable
    /// Too many threads wait for the provider.
    case busy
    /// The provider or the ID token refuses the user.
    case refused(String)
}

/// The encoding of form bodies and of queries in URLs.
enum Form {
    static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
    }

    static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            default:
                encoded.append(UInt8(ascii: "%"))
                encoded += Hex.encode([byte]).uppercased().utf8
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
