/// The rules for the addresses that hooks may reach: public addresses over HTTPS, and those that the environments
/// file allows.
public struct ReachableAddresses: Sendable, Equatable {
    private let ranges: [NetworkRange]
    /// Names of hosts whose addresses may be private, in lower case.
    private let hosts: Set<String>
    /// True if plain HTTP is allowed.
    public let allowsHTTP: Bool
    private let ports: Set<Int>

    /// - Parameters:
    ///   - allow: Ranges, addresses and host names.
    ///   - ports: Ports besides 443, 8443, and 80 for plain HTTP.
    /// - Throws: `HookFault` for an entry that is none of these.
    public init(allow: [String] = [], http: Bool = false, ports: [Int] = []) throws(HookFault) {
        var ranges: [NetworkRange] = []
        var hosts: Set<String> = []
        for entry in allow {
            if let range = NetworkRange(entry) {
                guard range.isExact || !Self.linkLocal.contains(where: { $0.contains(range.base) }) else {
                    throw .wideLinkLocalRange(entry)
                }
                ranges.append(range)
            } else if HookURL.isHostName(entry), !HookURL.endsInNumber(entry) {
                hosts.insert(entry.lowercased())
            } else {
                throw .unknownAllowance(entry)
            }
        }
        if let port = ports.first(where: { !(1...65535).contains($0) }) { throw .unknownPort(port) }
        self.ranges = ranges
        self.hosts = hosts
        allowsHTTP = http
        self.ports = Set([443, 8443] + ports + (http ? [80] : []))
    }

    /// The rules without allowances.
    public static let publicOnly: ReachableAddresses = {
        guard let rules = try? ReachableAddresses() else { preconditionFailure("no entry can be invalid") }
        return rules
    }()

    /// Returns true if a request for a host may connect to an address.
    ///
    /// - Parameter host: The host of the URL, in lower case.
    public func permit(_ address: NetworkAddress, of host: String) -> Bool {
        let inner = address.unwrapped
        let isLinkLocal = Self.linkLocal.contains { $0.contains(inner) }
        // A range around link-local addresses does not allow them, because clouds serve credentials there.
        if ranges.contains(where: { ($0.contains(address) || $0.contains(inner)) && ($0.isExact || !isLinkLocal) }) {
            return true
        }
        if isLinkLocal { return false }
        if hosts.contains(host), !Self.unusable.contains(where: { $0.contains(inner) }) { return true }
        return inner.bytes.count == 4
            ? !Self.specialIPv4.contains { $0.contains(inner) }
            : Self.globalIPv6.contains(inner) && !Self.specialIPv6.contains { $0.contains(inner) }
    }

    func permitsPort(_ port: Int) -> Bool { ports.contains(port) }

    /// The allowed ports, for messages.
    var portList: String { ports.sorted().map(String.init).joined(separator: ", ") }

    private static let linkLocal = ranges("169.254.0.0/16", "fe80::/10")

    /// Unspecified, multicast and broadcast addresses, which no server has.
    private static let unusable = ranges("0.0.0.0/8", "224.0.0.0/4", "240.0.0.0/4", "::/128", "ff00::/8")

    /// The IPv4 addresses that are not global (IANA's special-purpose registry, RFC 6890), and multicast.
    private static let specialIPv4 = ranges(
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4")

    /// The only global unicast addresses (RFC 4291 §2.4). Loopback, compatible, local NAT64, unique local, link-local
    /// and multicast addresses are outside.
    private static let globalIPv6 = ranges("2000::/3")[0]

    /// Protocol assignments with Teredo, documentation, and 6to4 in the global range.
    private static let specialIPv6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

    private static func ranges(_ texts: String...) -> [NetworkRange] {
        texts.map { text in
            guard let range = NetworkRange(text) else { preconditionFailure("\(text) is no range") }
            return range
        }
    }
}
