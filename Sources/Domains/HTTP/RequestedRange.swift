/// The range of bytes that a request asks for (RFC 9110 §14.2).
public enum RequestedRange: Equatable, Sendable {
    /// All bytes: the request has no range, several ranges, or a malformed one, which a server may ignore.
    case whole
    case part(Range<Int>)
    /// A range that begins after the last byte.
    case unsatisfiable

    /// - Parameters:
    ///   - field: The field `Range`.
    ///   - bytes: The length of the representation.
    public init(_ field: String?, of bytes: Int) {
        self = .whole
        guard let field = field?.lowercased(), field.hasPrefix("bytes=") else { return }
        let limits = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard limits.count == 2, limits.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return }
        // A number that is too large for an integer is larger than any length.
        let (first, last) = (Int(limits[0]) ?? .max, Int(limits[1]) ?? .max)
        if limits[0].isEmpty {
            guard !limits[1].isEmpty else { return }
            self = last > 0 && bytes > 0 ? .part(max(0, bytes - last)..<bytes) : .unsatisfiable
        } else if first <= last {
            self = first < bytes ? .part(first..<min(last, bytes - 1) + 1) : .unsatisfiable
        }
    }
}
