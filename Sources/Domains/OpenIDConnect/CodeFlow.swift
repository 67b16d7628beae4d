internal import AlmanacCryptography
public import AlmanacHTTPSClient
internal import AlmanacJSON
public import AlmanacPOSIX
public import AlmanacTimestamps
internal import AlmanacTransport
internal import Synchronization

/// Signs a browser's user in at an OpenID Connect provider, as a client with a secret of its own: authorization code
/// with PKCE (OpenID Connect Core §3.1, RFC 7636).
///
/// Any number of threads may use it at the same time. Its calls block, for some seconds at most.
public final class CodeFlow: Sendable {
    private let issuer: WebAddress
    private let client: (id: String, secret: String, scopes: [String])
    private let verifier: TokenVerifier
    private let https: HTTPSClient
    private let waits: WaitLimit
    private let clock: ServerClock
    private let report: @Sendable (ProviderFailure) -> Void
    /// Where the provider said last that it is asked.
    private let known = Mutex<(endpoints: Endpoints, discoveredAt: ContinuousClock.Instant)?>(nil)

    private struct Endpoints {
        let authorization: WebAddress
        let token: WebAddress
        /// Whether it can be asked for single claims (OpenID Connect Core §5.5).
        let takesClaims: Bool
    }

    /// How long the discovery document is taken to say the same.
    private static let goodFor = Duration.seconds(60)

    /// - Parameters:
    ///   - client: what the provider knows this server by, and the scopes to ask for besides `openid`.
    ///   - verifier: checks the tokens of the same issuer.
    ///   - waits: bounds how many threads wait for the provider.
    ///   - report: gets the failure whenever it could not be asked, or gave no sensible answer.
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

    /// One sign-in: what only this browser's is made of.
    public struct Attempt: Sendable {
        let state: String
        let nonce: String
        let verifier: String
        /// Where the provider sends the browser back to.
        let redirect: String

        /// - Parameters:
        ///   - state: comes back with the browser.
        ///   - nonce: comes back in the ID token.
        ///   - verifier: proves that the code is redeemed by whoever asked for it: 43 to 128 unreserved characters.
        public init(state: String, nonce: String, verifier: String, redirect: String) {
            self.state = state
            self.nonce = nonce
            self.verifier = verifier
            self.redirect = redirect
        }
    }

    /// The page of the provider to send the browser to.
    ///
    /// - Parameters:
    ///   - isFresh: the provider is to ask the user again, whatever it remembers.
    ///   - claim: the name of a claim that the ID token is to have.
    public func page(for attempt: Attempt, isFresh: Bool, claim: String?) throws(SignInFailure) -> String {
        let endpoints = try asking { () throws(ProviderFailure) -> Endpoints in try self.endpoints() }
        let endpoint = endpoints.authorization.text
        var fields = [
            ("response_type", "code"), ("client_id", client.id), ("redirect_uri", attempt.redirect),
            ("scope", (["openid"] + client.scopes).joined(separator: " ")), ("state", attempt.state),
            ("nonce", attempt.nonce),
            ("code_challenge", Base64URL.encode(SHA256.digest(Array(attempt.verifier.utf8)))),
            ("code_challenge_method", "S256"),
        ]
        if isFresh { fields.append(("max_age", "0")) }
        if let name = claim?.split(separator: ".").first, endpoints.takesClaims {
            let claims: JSONValue = ["id_token": .object(JSONObject([(String(name), .null)]))]
            fields.append(("claims", String(decoding: claims.serialized(), as: UTF8.self)))
        }
        return endpoint + (endpoint.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + Form.encode(fields)
    }

    /// Redeems the code that the browser came back with.
    ///
    /// - Parameters:
    ///   - authenticatedSince: the provider must have asked the user who they are at this time or later; nil for any.
    ///   - claim: the name of a claim to read.
    public func redeem(
        _ code: String, of attempt: Attempt, authenticatedSince: Timestamp?, claim: String?
    ) throws(SignInFailure) -> SignedInUser {
        let fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", attempt.redirect),
            ("code_verifier", attempt.verifier),
        ]
        let answer = try asking { () throws(ProviderFailure) in
            try send(Form.encode(fields), to: try endpoints().token)
        }
        guard let token = answer["id_token"]?.stringValue else {
            // `invalid_grant` is the usual word: the code was used before, or is another client's.
            let word = answer["error"]?.stringValue.map { String($0.prefix(100)) } ?? "no id_token came"
            report(ProviderFailure("\(issuer): a code was not taken: \(word)"))
            throw .refused("the provider does not take the code: \(word)")
        }
        do throws(TokenFailure) {
            return try verifier.verify(
                identity: token, of: client.id, nonce: attempt.nonce, authenticatedSince: authenticatedSince,
                claim: claim)
        } catch {
            report(ProviderFailure("\(issuer): an ID token is refused: \(error)"))
            throw error.isTemporary ? .away : .refused("\(error)")
        }
    }

    private func send(_ form: String, to address: WebAddress) throws(ProviderFailure) -> JSONObject {
        // RFC 6749 §2.3.1: both are encoded as in a form before they are put together.
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
                    ? "\(address): the status is 401: are 'client_id' and the secret in 'client_secret_file' right?"
                    : "\(address): the answer is no JSON object with the status 200 or 400 but has \(response.status)")
        }
        return object
    }

    private func endpoints() throws(ProviderFailure) -> Endpoints {
        let now = clock.now()
        if let known = known.withLock(\.self), now - known.discoveredAt < Self.goodFor { return known.endpoints }
        let document = try KeySource.discoveryDocument(of: issuer, https)
        let endpoints = Endpoints(
            authorization: try KeySource.address("authorization_endpoint", in: document, of: issuer),
            token: try KeySource.address("token_endpoint", in: document, of: issuer),
            takesClaims: (try? JSONValue(parsing: document))?.objectValue?["claims_parameter_supported"] == true)
        known.withLock { $0 = (endpoints, now) }
        return endpoints
    }

    /// Asks the provider, on one of the few threads that may.
    private func asking<Result>(_ ask: () throws(ProviderFailure) -> Result) throws(SignInFailure) -> Result {
        guard waits.enter() else { throw .busy }
        defer { waits.leave() }
        do {
            return try ask()
        } catch {
            known.withLock { $0 = nil }
            report(error)
            throw .away
        }
    }
}

/// The user who signed in, as the ID token has them.
public struct SignedInUser: Sendable {
    public let issuer: String
    /// 1 to 255 bytes.
    public let subject: String
    /// The texts of the claim that was asked for.
    public let claim: [String]
}

/// Why nobody was signed in.
public enum SignInFailure: Error, Equatable, Sendable {
    /// The provider could not be asked, or gave no sensible answer; it was reported.
    case away
    /// Too many wait for the provider already.
    case busy
    /// The provider, or what it said, does not let them in.
    case refused(String)
}

/// The body of a form, and the query of an address.
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
