internal import AlmanacCryptography

/// A secret that an operator or an app presents: `almanac_<environment>_<random>`.
///
/// The random part has 256 bits, so a plain SHA-256 is enough to store it by (OWASP ASVS 5.0, §11.4).
public struct APIToken: Sendable {
    /// The whole token. Shown once, when it is made; never logged.
    public let text: String

    /// Makes a new token.
    public init(environment: String) {
        text = "almanac_\(environment)_" + Base64URL.encode(RandomBytes.make(count: 32))
    }

    /// Reads a presented token; nil for a text that cannot be one of that environment.
    public init?(_ text: some StringProtocol, environment: String) {
        let prefix = "almanac_\(environment)_"
        guard text.utf8.count == prefix.utf8.count + 43, text.hasPrefix(prefix) else { return nil }
        self.text = String(text)
    }

    /// SHA-256 of the whole token, 32 bytes.
    public var digest: [UInt8] { SHA256.digest(Array(text.utf8)) }
}
