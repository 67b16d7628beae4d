internal import AlmanacCCurl

/// A URL that is safe for keys and secrets: HTTPS, or plain HTTP on this machine.
///
/// Plain HTTP is meant for sign-in providers beside Almanac, in tests and in development. A user name, password or
/// fragment is refused.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    public let isEncrypted: Bool

    /// The form of an address, for messages.
    public static let form = "an https:// URL, or http:// with the host localhost, 127.0.0.1 or [::1]"

    /// Parses a URL. Returns nil if the text is not a valid address.
    public init?(_ text: String) {
        // Non-ASCII hosts have an encoded form, and look-alike characters deceive people. A third slash before the host
        // is refused because libcurl ignores it.
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

/// The parts of a URL, parsed by libcurl so that parsing and fetching agree.
struct URLParts {
    let scheme: String
    let host: String
    let hasFragment: Bool

    /// True if the host is this machine.
    var isLoopback: Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

    /// Parses a URL. Returns nil for an invalid URL and for one with a user name.
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
        // Safe because libcurl allocates the text and ends it with a zero byte, and the text is freed after being
        // copied.
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(url, name, &text, 0) == CURLUE_OK, let text = unsafe text else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
