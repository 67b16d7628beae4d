internal import AlmanacCryptography
internal import AlmanacEnvironments
internal import AlmanacHTTP

/// The value of a session cookie: 32 random bytes, of which the server stores only a hash.
struct SessionSecret: Sendable {
    let bytes: [UInt8]

    /// - Parameter bytes: 32 random bytes.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Nil if the text is no secret.
    init?(_ text: String) {
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    var text: String { Base64URL.encode(bytes) }

    /// The hash that the database stores.
    var digest: [UInt8] { SHA256.digest(bytes) }

    /// Returns a value that is bound to this secret but doesn't reveal it.
    func derived(for purpose: String) -> String {
        Base64URL.encode(SHA256.digest(Array("almanac \(purpose) ".utf8) + bytes))
    }
}

/// A cookie of one environment. The `__Host-` prefix of its name prevents other hosts and connections without TLS from
/// setting it (RFC 6265bis §4.1.3).
struct SessionCookie {
    private let name: String
    private let sameSite: String

    /// Creates a session's cookie. With `SameSite=Strict`, browsers omit it when another site navigates here.
    init(sessionOf environment: EnvironmentName) {
        name = "__Host-almanac-\(environment)"
        sameSite = "Strict"
    }

    /// Creates the cookie that binds a sign-in to its browser. With `SameSite=Lax`, browsers send it when the
    /// provider's site redirects here. No environment's name contains a dot, so the name differs from every session's.
    init(loginAt environment: EnvironmentName) {
        name = "__Host-almanac-\(environment).login"
        sameSite = "Lax"
    }

    /// The cookie in a request.
    enum Found {
        case nothing
        /// The cookie is malformed, or present twice, which no browser sends.
        case unusable
        case secret(SessionSecret)
    }

    func find(in request: Request) -> Found {
        guard let header = request.headers["Cookie"] else { return .nothing }
        var found = Found.nothing
        for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
            let pair = pair.drop { $0 == UInt8(ascii: " ") }
            guard pair.starts(with: name.utf8), pair.dropFirst(name.utf8.count).first == UInt8(ascii: "=") else {
                continue
            }
            guard case .nothing = found else { return .unusable }
            let value = String(Substring(pair.dropFirst(name.utf8.count + 1)))
            found = SessionSecret(value).map { .secret($0) } ?? .unusable
        }
        return found
    }

    /// Returns the header that stores the cookie in a browser.
    func setting(_ secret: SessionSecret, forSeconds seconds: Int64) -> (name: String, value: String) {
        line(secret.text, max(1, seconds))
    }

    /// The header that deletes the cookie from a browser.
    var clearing: (name: String, value: String) { line("", 0) }

    private func line(_ value: String, _ seconds: Int64) -> (name: String, value: String) {
        ("Set-Cookie", "\(name)=\(value); Max-Age=\(seconds); Path=/; Secure; HttpOnly; SameSite=\(sameSite)")
    }
}

extension Request {
    /// True if a page of the same host sent the request, by a header that no site can forge (Fetch Metadata).
    var isFromOwnPage: Bool { application != nil && headers.single("Sec-Fetch-Site") == "same-origin" }

    /// True if a cookie is accepted: without a token, and for a change only with a header that no form or link can
    /// send.
    var takesCookies: Bool {
        guard isFromOwnPage, headers["Authorization"] == nil else { return false }
        return ["GET", "HEAD"].contains(method) || headers["Almanac-Session"] == "1"
    }
}
