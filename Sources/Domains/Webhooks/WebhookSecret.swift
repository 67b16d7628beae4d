internal import AlmanacCryptography

/// The secret of a hook (Standard Webhooks 1.0): `whsec_` and 24 to 64 random bytes in Base64.
public struct WebhookSecret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let key: [UInt8]

    private static let prefix = "whsec_"

    /// Makes a new secret of 32 bytes.
    public init() { key = RandomBytes.make(count: 32) }

    /// Parses the text form. Returns nil if the text is invalid.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let base64 = text.dropFirst(Self.prefix.count)
        let digits = base64.replacing("+", with: "-").replacing("/", with: "_").prefix { $0 != "=" }
        guard let key = Base64URL.decode(String(digits)), (24...64).contains(key.count), Base64.encode(key) == base64
        else { return nil }
        self.key = key
    }

    /// The text for the receiver, shown once.
    public var text: String { Self.prefix + Base64.encode(key) }

    /// Returns the value of the header `webhook-signature` with a signature by each secret.
    ///
    /// - Parameter seconds: The time of the attempt since 1970, as in `webhook-timestamp`.
    public static func signature(
        of body: [UInt8], id: String, at seconds: Int64, by secrets: [WebhookSecret]
    ) -> String {
        let content = Array("\(id).\(seconds).".utf8) + body
        return secrets.map { "v1,\(Base64.encode(HMACSHA256.code(of: content, key: $0.key)))" }.joined(separator: " ")
    }

    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
