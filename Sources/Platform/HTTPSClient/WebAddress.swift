internal import AlmanacCCurl

/// A URL that keys and secrets may be exchanged with: HTTPS, or plain HTTP on this machine.
///
/// Plain HTTP is for providers that run beside Almanac, in tests and in development. No user name, password or
/// fragment.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    /// The whole URL as it was written.
    public let text: String
    public let isEncrypted: Bool

    /// The form of an address, for messages.
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

/// A URL taken apart by libcurl, which also fetches it, so that both read it alike.
struct URLParts {
    let scheme: String
    let host: String
    let hasFragment: Bool

    /// Whether the host is this machine.
    var isLoopback: Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

    /// Nil for a text that is no URL, or one with a user's name.
    init?(_ text: String) {
        guard let url = unsafe curl_url() else { fatalError("out of memory") }
        defer { unsafe curl_url_cleanup(url) }
        let code = unsafe curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER))
        guard code == CURLUE_OK, let scheme = unsafe Self.part(CURLUPART_SCHEME, of: url),
            let host = unsafe Self.part(CURLUPART_HOST, of: url), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        hasFragment = text.utf8.contains(UInt8(ascii: "#"))
    }

    private static func part(_ name: CURLUPart, of url: OpaquePointer) -> String? {
        // Safe because libcurl allocates the text, ends it with a zero byte, and it is freed after being copied.
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(url, name, &text, 0) == CURLUE_OK, let text = unsafe text else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
