internal import AlmanacCryptography
internal import AlmanacEnvironments
internal import AlmanacHTTP

/// What a browser keeps: 32 random bytes, of which the server stores a hash.
struct SessionSecret: Sendable {
    let bytes: [UInt8]

    /// - Parameter bytes: 32 random ones.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Nil for a text that is none.
    init?(_ text: String) {
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    var text: String { Base64URL.encode(bytes) }

    /// What the database has of it.
    var digest: [UInt8] { SHA256.digest(bytes) }

    /// A value that belongs to this secret and tells nothing about it.
    func derived(for purpose: String) -> String {
        Base64URL.encode(SHA256.digest(Array("almanac \(purpose) ".utf8) + bytes))
    }
}

/// A cookie of one environment. Its name has the prefix that keeps it from being set by other hosts, or without TLS
/// (RFC 6265bis §4.1.3).
struct SessionCookie {
    private let name: String
    private let sameSite: String

    /// The one that names a session. A page of another site that sends the browser here sends it without.
    init(sessionOf environment: EnvironmentName) {
        name = "__Host-almanac-\(environment)"
        sameSite = "Strict"
    }

    /// The one that binds a sign-in to its browser, which comes back from the provider's site. No environment's name
    /// has a dot, so it is none's session.
    init(loginAt environment: EnvironmentName) {
        name = "__Host-almanac-\(environment).login"
        sameSite = "Lax"
    }

    /// What a request has of it.
    enum Found {
        case nothing
        /// It is there, and no secret: malformed, or there twice, which no browser sends.
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

    /// The header field that has a browser keep it.
    func setting(_ secret: SessionSecret, forSeconds seconds: Int64) -> (name: String, value: String) {
        line(secret.text, max(1, seconds))
    }

    /// The header field that has a browser forget it.
    var clearing: (name: String, value: String) { line("", 0) }

    private func line(_ value: String, _ seconds: Int64) -> (name: String, value: String) {
        ("Set-Cookie", "\(name)=\(value); Max-Age=\(seconds); Path=/; Secure; HttpOnly; SameSite=\(sameSite)")
    }
}

extension Request {
    /// Whether a page of the host that it came to sent it, as browsers say, and no other can (Fetch Metadata).
    var isFromOwnPage: Bool { application != nil && headers.single("Sec-Fetch-Site") == "same-origin" }

    /// Whether a cookie counts: not beside a token, and for what changes something only with a header that no form and
    /// no link can send.
    var takesCookies: Bool {
        guard isFromOwnPage, headers["Authorization"] == nil else { return false }
        return ["GET", "HEAD"].contains(method) || headers["Almanac-Session"] == "1"
    }
}
