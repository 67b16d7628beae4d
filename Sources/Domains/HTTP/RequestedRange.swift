/// The range of bytes that a request asks for (RFC 9110 §14.2), with nginx's treatment of malformed ranges.
public enum RequestedRange: Equatable, Sendable {
    /// All bytes: the request has no range of bytes, or several ranges.
    case whole
    case part(Range<Int>)
    /// A malformed range, or no range that contains a byte.
    case unsatisfiable

    /// - Parameters:
    ///   - field: the field `Range`.
    ///   - bytes: the length of the representation.
    public init(_ field: String?, of bytes: Int) {
        self = .whole
        guard let field = field?.lowercased(), field.hasPrefix("bytes=") else { return }
        let ranges = field.dropFirst("bytes=".count).split(separator: ",", omittingEmptySubsequences: false).map {
            Self.range($0.filter { $0 != " " }, of: bytes)
        }
        if ranges.contains(nil) || ranges.allSatisfy({ $0?.isEmpty != false }) {
            self = .unsatisfiable
        } else if ranges.count == 1, let range = ranges[0] {
            self = .part(range)
        }
    }

    /// Returns the bytes of a range, which are none if it begins after the last byte; nil if the range is malformed.
    private static func range(_ text: String, of bytes: Int) -> Range<Int>? {
        let limits = text.split(separator: "-", omittingEmptySubsequences: false)
        guard limits.count == 2, limits.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
            return nil
        }
        // A number that is too large for an integer is larger than any length.
        let (first, last) = (Int(limits[0]) ?? .max, Int(limits[1]) ?? .max)
        if limits[0].isEmpty { return limits[1].isEmpty ? nil : max(0, bytes - last)..<bytes }
        guard first <= last else { return nil }
        return first < bytes ? first..<min(last, bytes - 1) + 1 : 0..<0
    }
}
