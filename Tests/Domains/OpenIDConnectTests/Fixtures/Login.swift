import AlmanacCryptography
import AlmanacHTTPSClient
import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport

/// A user's sign-in at the real provider, as an app performs it: authorization code with PKCE (RFC 6749 §4.1, RFC
/// 7636).
struct Login {
    /// The audience and the client in the provider's `settings.yaml`.
    static let audience = "https://notes.example.com"
    static let client = "notes-app"
    private static let redirect = "http://127.0.0.1:9/callback"

    /// The provider that runs for the tests.
    static var issuer: WebAddress {
        get throws {
            guard let text = Process.variable("ALMANAC_TEST_OIDC"), let issuer = WebAddress(text) else {
                throw LoginFailure(
                    description: "ALMANAC_TEST_OIDC is not set: these tests need an identity provider, run deploy/test")
            }
            return issuer
        }
    }

    let accessToken: String
    let refreshToken: String
    let idToken: String

    /// The nonce of the request, which the ID token must contain.
    let nonce: String
    private let issuer: WebAddress

    /// Signs in with a password.
    ///
    /// - Parameter issuer: the provider. The default is the provider that all tests share.
    init(user: String, password: String, at issuer: WebAddress? = nil) throws {
        let issuer = try issuer ?? Self.issuer
        let browser = HTTPClient(base: issuer.text, caFile: nil)
        let verifier = Base64URL.encode(RandomBytes.make(count: 32))
        let nonce = Base64URL.encode(RandomBytes.make(count: 16))
        let state = Base64URL.encode(RandomBytes.make(count: 16))
        let query = Self.form([
            ("response_type", "code"), ("client_id", Self.client), ("redirect_uri", Self.redirect),
            ("scope", "openid offline_access config:read"), ("state", state),
            ("nonce", nonce), ("code_challenge", Base64URL.encode(SHA256.digest(Array(verifier.utf8)))),
            ("code_challenge_method", "S256"),
        ])
        let page = try browser.send("GET", "/authorize?" + query)
        guard page.status == 200, let cookie = page.header("Set-Cookie")?.split(separator: ";").first,
            let transaction = page.text.firstMatch(of: /name="transaction_id" value="([^"]+)"/)?.output.1
        else { throw LoginFailure(description: "no login page: \(page.status) \(page.text.prefix(300))") }
        let answer = try browser.send(
            "POST", "/authorize", headers: [("Cookie", String(cookie))],
            body: Array(
                Self.form([("transaction_id", String(transaction)), ("username", user), ("password", password)]).utf8),
            contentType: "application/x-www-form-urlencoded")
        guard answer.status == 302, let location = answer.header("Location"),
            let code = location.firstMatch(of: /[?&]code=([^&]+)/)?.output.1, location.contains("state=\(state)")
        else { throw LoginFailure(description: "not signed in: \(answer.status)") }
        try self.init(
            grant: [
                ("grant_type", "authorization_code"), ("code", String(code)), ("code_verifier", verifier),
                ("redirect_uri", Self.redirect),
            ], nonce: nonce, at: issuer)
    }

    /// Exchanges the refresh token for new tokens.
    func refreshed() throws -> Login {
        try Login(grant: [("grant_type", "refresh_token"), ("refresh_token", refreshToken)], nonce: nonce, at: issuer)
    }

    private init(grant: [(String, String)], nonce: String, at issuer: WebAddress) throws {
        let answer = try HTTPClient(base: issuer.text, caFile: nil).send(
            "POST", "/token", body: Array(Self.form(grant + [("client_id", Self.client)]).utf8),
            contentType: "application/x-www-form-urlencoded")
        let tokens = try JSONValue(parsing: answer.body).objectValue
        guard answer.status == 200, let access = tokens?["access_token"]?.stringValue,
            let refresh = tokens?["refresh_token"]?.stringValue, let id = tokens?["id_token"]?.stringValue
        else { throw LoginFailure(description: "no tokens: \(answer.status) \(answer.text.prefix(300))") }
        (accessToken, refreshToken, idToken) = (access, refresh, id)
        (self.nonce, self.issuer) = (nonce, issuer)
    }

    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { name, value in
            let encoded = value.utf8.map { byte in
                let isPlain =
                    Character(UnicodeScalar(byte)).isLetter && byte < 128 || (48...57).contains(byte) || byte == 45
                return isPlain ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte])
            }
            return "\(name)=\(encoded.joined())"
        }.joined(separator: "&")
    }
}

struct LoginFailure: Error, CustomStringConvertible { let description: String }
