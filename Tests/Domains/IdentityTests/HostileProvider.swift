import AlmanacCryptography
import AlmanacEnvironments
import AlmanacHTTPSClient
import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Synchronization
import Testing

@testable import AlmanacEnvironments

/// An identity provider on this machine that responds correctly, wrongly, with garbage, or not at all.
final class HostileProvider: Sendable {
    enum Fault: Sendable {
        case none
        case discovery(ScriptedServer.Answer)
        case token(ScriptedServer.Answer)
        /// An ID token with a claim that is replaced, or removed for nil.
        case claim(String, JSONValue?)
        case header(String, JSONValue?)
        case unsigned
        case foreignKey
    }

    private let server: ScriptedServer
    private let state: Shared

    private final class Shared: Sendable {
        let fault: Fault
        /// The nonce that the browser brought to the provider's page.
        let nonce = Mutex("")
        let base = Mutex("")

        init(_ fault: Fault) { self.fault = fault }
    }

    init(_ fault: Fault = .none) throws {
        let state = Shared(fault)
        self.state = state
        let (key, foreign) = (try OpenSSLKey(.ed25519), try OpenSSLKey(.ed25519))
        server = try ScriptedServer { path in
            switch path {
            case "/.well-known/openid-configuration":
                if case .discovery(let answer) = fault { return answer }
                let base = state.base.withLock { $0 }
                return Self.json([
                    "issuer": .string(base), "jwks_uri": .string("\(base)/keys"),
                    "authorization_endpoint": .string("\(base)/authorize"), "token_endpoint": .string("\(base)/token"),
                ])
            case "/keys":
                return Self.json([
                    "keys": [
                        [
                            "kty": "OKP", "crv": "Ed25519", "kid": "one",
                            "x": .string(Base64URL.encode(key.rawPublicKey)),
                        ]
                    ]
                ])
            default:
                if case .token(let answer) = fault { return answer }
                guard let token = try? Self.token(state, key, foreign) else { return .response("500 No") }
                return Self.json(["id_token": .string(token), "token_type": "Bearer", "access_token": "x"])
            }
        }
        state.base.withLock { $0 = server.base }
    }

    var issuer: WebAddress { WebAddress(server.base)! }
    /// The complete requests so far, in order.
    var messages: [String] { server.messages }

    /// Returns the query with which the provider redirects the browser back.
    func signIn(_ page: String) throws -> String {
        let fields = PageBrowser.query(page)
        state.nonce.withLock { $0 = fields["nonce"] ?? "" }
        return "?code=abc&state=\(fields["state"] ?? "")"
    }

    private static func json(_ value: JSONValue) -> ScriptedServer.Answer {
        .response(headers: ["Content-Type: application/json"], body: value.serialized())
    }

    private static func token(_ state: Shared, _ key: OpenSSLKey, _ foreign: OpenSSLKey) throws -> String {
        let now = WallClock.milliseconds / 1000
        var header: [(name: String, value: JSONValue)] = [("alg", "EdDSA"), ("kid", "one"), ("typ", "JWT")]
        var claims: [(name: String, value: JSONValue)] = [
            ("iss", .string(state.base.withLock { $0 })), ("aud", "almanac"), ("sub", "alice"),
            ("iat", .number(JSONNumber(now))), ("exp", .number(JSONNumber(now + 300))),
            ("auth_time", .number(JSONNumber(now))), ("nonce", .string(state.nonce.withLock { $0 })),
            ("groups", ["ops"]),
        ]
        switch state.fault {
        case .claim(let name, let value):
            claims.removeAll { $0.name == name }
            if let value { claims.append((name, value)) }
        case .header(let name, let value):
            header.removeAll { $0.name == name }
            if let value { header.append((name, value)) }
        default: break
        }
        let text = [header, claims]
            .map { Base64URL.encode(JSONValue.object(JSONObject($0)).serialized()) }.joined(separator: ".")
        if case .unsigned = state.fault { return text + "." }
        let signer = if case .foreignKey = state.fault { foreign } else { key }
        return text + "." + Base64URL.encode(try signer.sign(Array(text.utf8), "EdDSA"))
    }
}

extension SessionFixture {
    /// Creates an environment whose operators sign in at the hostile provider.
    init(at provider: HostileProvider) throws {
        try self.init(
            identity: .provider(issuer: provider.issuer, audience: "https://notes.example.com", caFile: nil),
            signIn: SignInClient(id: "almanac", secret: ClientSecret(text: "hunter2 of tests"), scopes: []),
            operators: [OperatorClaim(name: "groups", values: ["admin": ["ops"]])])
    }
}
