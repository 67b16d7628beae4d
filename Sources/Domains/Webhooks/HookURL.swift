/// The address of a hook's receiver: an absolute URL without user name and fragment.
public struct HookURL: Hashable, Sendable {
    public let text: String
    /// The host in lower case, without the brackets of IPv6.
    public let host: String

    /// The limit on a URL in bytes.
    public static let byteLimit = 2048

    /// Checks a URL. An address in place of a host name must be reachable; addresses of names are checked at each
    /// request.
    public init(_ text: String, for rules: ReachableAddresses) throws(HookFault) {
        guard text.utf8.count <= Self.byteLimit else { throw .longURL }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\\\"<>^`{|}".utf8.contains($0) }),
            let scheme = text.firstRange(of: "://")
        else { throw .noURL }
        let isHTTP: Bool
        switch text[..<scheme.lowerBound].lowercased() {
        case "https": isHTTP = false
        case "http": isHTTP = true
        default: throw .noURL
        }
        guard !isHTTP || rules.allowsHTTP else { throw .plainHTTP }
        guard !text.contains("#") else { throw .fragment }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw .userName }
        guard let (host, port) = Self.hostAndPort(authority) else { throw .noURL }
        let effectivePort = port ?? (isHTTP ? 80 : 443)
        guard rules.permitsPort(effectivePort) else { throw .closedPort(effectivePort, allowed: rules.portList) }
        if let address = NetworkAddress(host), !rules.permit(address, of: host) { throw .privateAddress(host) }
        self.text = text
        self.host = host
    }

    private static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
        let name: Substring
        let rest: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            name = authority[..<end].dropFirst()
            rest = authority[end...].dropFirst()
            guard NetworkAddress(name)?.bytes.count == 16 else { return nil }
        } else {
            name = authority.prefix { $0 != ":" }
            rest = authority[name.endIndex...]
            // Other numbers, such as 127.1 and 0x7f000001, are addresses to some parsers.
            guard isHostName(name), !endsInNumber(name) || NetworkAddress(name) != nil else { return nil }
        }
        guard !rest.isEmpty else { return (name.lowercased(), nil) }
        let digits = rest.dropFirst()
        guard rest.hasPrefix(":"), (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let port = Int(digits), (1...65535).contains(port)
        else { return nil }
        return (name.lowercased(), port)
    }

    /// Returns true for labels of letters, digits, hyphens and underscores, joined by dots.
    static func isHostName(_ text: some StringProtocol) -> Bool {
        text.utf8.count <= 253
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count)
                    && label.utf8.allSatisfy { byte in
                        switch byte {
                        case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                        default: false
                        }
                    }
            }
    }

    /// Returns true if the last label is a decimal or hexadecimal number (WHATWG URL, "ends in a number").
    static func endsInNumber(_ host: some StringProtocol) -> Bool {
        guard let last = host.split(separator: ".").last else { return false }
        if last.utf8.allSatisfy({ (48...57).contains($0) }) { return true }
        return last.lowercased().hasPrefix("0x") && last.dropFirst(2).allSatisfy(\.isHexDigit)
    }
}

/// A reason to refuse a hook or a member of the environments file.
public enum HookFault: Error, Equatable, CustomStringConvertible {
    case closedPort(Int, allowed: String)
    case fragment
    case longURL
    case noURL
    case plainHTTP
    case privateAddress(String)
    case unknownAllowance(String)
    case unknownPort(Int)
    case userName
    case wideLinkLocalRange(String)

    public var description: String {
        switch self {
        case .closedPort(let port, let allowed):
            "port \(port) is not allowed; expected one of \(allowed), or a port of 'hooks' in the environments file"
        case .fragment: "the URL has a fragment; remove the # and the text after it"
        case .longURL: "the URL is too long; expected at most \(HookURL.byteLimit) bytes"
        case .noURL: "not a URL of a receiver; expected the form https://host/path in ASCII"
        case .plainHTTP:
            "plain HTTP is not allowed; use https, or set \"http\": true in 'hooks' of the environments file"
        case .privateAddress(let host):
            "\(host) is not a public address; add it to 'allow' in 'hooks' of the environments file"
        case .unknownAllowance(let entry):
            "'\(entry)' in 'allow' is unknown; expected an address, a range such as 10.1.2.0/24, or a host name"
        case .unknownPort(let port): "\(port) in 'ports' is no port; expected 1 to 65535"
        case .userName: "the URL has a user name or password; use a token in the path, or check the signature"
        case .wideLinkLocalRange(let entry):
            "'\(entry)' in 'allow' is a range of link-local addresses; list each address alone"
        }
    }
}
