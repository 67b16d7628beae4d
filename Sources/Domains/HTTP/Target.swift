internal import AlmanacPOSIX

/// The path and the query of a request's URI (RFC 3986 §3), percent-decoded.
public struct Target: Sendable {
    /// The path segments: `/development/config` has two, and `/` has one empty segment.
    public let segments: [String]
    public let query: Query
    /// True if the path begins with the environment; false if the web server found the environment elsewhere.
    public let pathHasEnvironment: Bool

    /// Parses a request target in origin form, `/path?query`.
    ///
    /// - Parameter environment: The environment from the web server, used as the first segment; nil if the path has it.
    public init(_ text: String, environment: String? = nil) throws(Problem) {
        // A separator before a combining mark is no `Character` of its own, so the parser reads bytes.
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/") else {
            throw Problem(.invalidRequest, "the request's path must start with a slash")
        }
        var segments: [String] = []
        segments.reserveCapacity(4)
        if let environment { segments.append(environment) }
        pathHasEnvironment = environment == nil
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        var start = 1
        for index in 1...end where index == end || bytes[index] == UInt8(ascii: "/") {
            guard let decoded = percentDecoded(bytes[start..<index]) else {
                throw Problem(
                    .invalidRequest, "the path contains a percent escape that is not UTF-8, or not two hex digits")
            }
            segments.append(decoded)
            start = index + 1
        }
        self.segments = segments
        query = try Query(end < bytes.count ? bytes[(end + 1)...] : nil)
    }
}

/// The parameters of a query, `name=value` joined by `&`, with `+` for a space.
public struct Query: Sendable {
    private let pairs: [(name: String, value: String)]

    /// The maximum number of parameters in a query, which is more than any call accepts.
    private static let maxPairs = 32
    /// The parameters that may be repeated.
    private static let repeatable = ["tag"]

    init(_ text: ArraySlice<UInt8>?) throws(Problem) {
        var pairs: [(name: String, value: String)] = []
        var rest = text
        while let text = rest {
            let (pair, others) = text.splitOnce(at: UInt8(ascii: "&"))
            rest = others
            if pair.isEmpty { continue }
            guard pairs.count < Self.maxPairs else {
                throw Problem(.invalidParameter, "the query has more than \(Self.maxPairs) parameters")
            }
            let (name, value) = pair.splitOnce(at: UInt8(ascii: "="))
            guard let name = percentDecoded(name, plusIsSpace: true),
                let value = percentDecoded(value ?? [], plusIsSpace: true)
            else {
                throw Problem(
                    .invalidParameter, "the query contains a percent escape that is not UTF-8, or not two hex digits")
            }
            guard Self.repeatable.contains(name) || !pairs.contains(where: { $0.name.hasSameBytes(as: name) }) else {
                throw Problem(.invalidParameter, "the parameter '\(name)' is given more than once")
            }
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    public var isEmpty: Bool { pairs.isEmpty }

    public subscript(_ name: String) -> String? { pairs.first { $0.name.hasSameBytes(as: name) }?.value }

    public func all(_ name: String) -> [String] { pairs.filter { $0.name.hasSameBytes(as: name) }.map(\.value) }

    /// Refuses a query with other parameters, so that a misspelt name is not ignored.
    public func allow(_ names: String...) throws(Problem) { try allow(names) }

    /// Refuses a query with other parameters, given an array of names.
    public func allow(_ names: [String]) throws(Problem) {
        guard let unknown = pairs.first(where: { pair in !names.contains { pair.name.hasSameBytes(as: $0) } })
        else { return }
        let known = names.isEmpty ? "none" : names.map { "'\($0)'" }.joined(separator: ", ")
        throw Problem(.invalidParameter, "unknown parameter '\(unknown.name)'; expected \(known)")
    }

    /// Returns a parameter that is an integer in a range, or nil if it is absent.
    public func integer(_ name: String, in range: ClosedRange<Int64>) throws(Problem) -> Int64? {
        guard let text = self[name] else { return nil }
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(text), range.contains(number) else {
            throw Problem(
                .invalidParameter, "'\(name)' must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns a parameter that is `true` or `false`; false if it is absent.
    public func boolean(_ name: String) throws(Problem) -> Bool {
        switch self[name] {
        case nil, "false": return false
        case "true": return true
        default: throw Problem(.invalidParameter, "'\(name)' must be true or false")
        }
    }
}

extension ArraySlice<UInt8> {
    /// Returns the parts before and after the first occurrence of a byte; the second is nil if there is no occurrence.
    func splitOnce(at separator: UInt8) -> (before: ArraySlice<UInt8>, after: ArraySlice<UInt8>?) {
        guard let place = firstIndex(of: separator) else { return (self, nil) }
        return (self[..<place], self[index(after: place)...])
    }
}

extension String {
    /// Decodes percent-encoding (RFC 3986 §2.1). Returns nil for a malformed escape, or for bytes that are not UTF-8.
    public init?(percentEncoded text: String) {
        guard let decoded = percentDecoded(Array(text.utf8)[...]) else { return nil }
        self = decoded
    }
}

/// Decodes percent-encoding (RFC 3986 §2.1). Returns nil for a malformed escape, or for bytes that are not UTF-8.
private func percentDecoded(_ text: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String? {
    // Most texts contain neither, and bytes from a string are always UTF-8.
    guard text.contains(UInt8(ascii: "%")) || plusIsSpace && text.contains(UInt8(ascii: "+")) else {
        return String(decoding: text, as: UTF8.self)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "%"):
            guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else { return nil }
            bytes.append(high << 4 | low)
        case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
        default: bytes.append(byte)
        }
    }
    return String(validating: bytes, as: UTF8.self)
}

extension UInt8 {
    fileprivate var hexDigit: UInt8? {
        switch self {
        case 48...57: self - 48
        case 65...70: self - 55
        case 97...102: self - 87
        default: nil
        }
    }
}
