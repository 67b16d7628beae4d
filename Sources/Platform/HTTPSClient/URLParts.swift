internal import AlmanacCCurl

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
