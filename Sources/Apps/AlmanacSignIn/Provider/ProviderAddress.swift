#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Which addresses a sign-in may be done at.
enum ProviderAddress {
    static let form = "an https:// URL, or http:// with the host localhost, 127.0.0.1 or [::1]"

    /// Nil for a text that is no such URL.
    static func parse(_ text: String) -> URL? {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let parts = URLComponents(string: text),
            let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.fragment == nil
        else { return nil }
        switch parts.scheme?.lowercased() {
        case "https": return parts.url
        case "http": return ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host) ? parts.url : nil
        default: return nil
        }
    }
}
