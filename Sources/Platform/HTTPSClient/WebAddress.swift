/// A URL that is safe to fetch secrets' counterparts from: HTTPS, or plain HTTP on this machine.
///
/// Plain HTTP is for providers that run beside Almanac, in tests and in development. No user name, password or fragment.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    /// The whole URL as it was written.
    public let text: String
    public let isEncrypted: Bool

    /// What an address looks like, for messages.
    public static let form = "an https:// URL, or http:// with the host localhost, 127.0.0.1 or [::1]"

    /// Nil for a text that is no such URL.
    public init?(_ text: String) {
        // Host names and paths beyond ASCII have an encoded form, and people take look-alikes for the real thing.
        // libcurl forgives a third slash before the host.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains(":///"), let parts = URLParts(text)
        else { return nil }
        guard parts.scheme == "https" || parts.scheme == "http" && parts.isLoopback,
            !parts.hasFragment
        else { return nil }
        self.text = text
        isEncrypted = parts.scheme == "https"
    }

    public var description: String { text }
}
