/// A version in the form in which GrowthBook compares versions, for `almanac.padded`: a text whose numbers have the
/// same width.
struct PaddedVersion: Comparable, Sendable {
    private let text: String

    private static let width = 5

    init(_ version: String) {
        var bytes = version.utf8[...]
        if bytes.isEmpty { bytes = "0".utf8[...] }
        if bytes.first == UInt8(ascii: "v") { bytes.removeFirst() }
        if let plus = bytes.firstIndex(of: UInt8(ascii: "+")) { bytes = bytes[..<plus] }
        let isEnd = { (byte: UInt8) in byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") }
        var parts = bytes.split(omittingEmptySubsequences: false, whereSeparator: isEnd).map { part in
            let isNumber = !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            let padding = isNumber ? max(0, Self.width - part.count) : 0
            return String(repeating: " ", count: padding) + String(Substring(part))
        }
        // A release is later than its prereleases, because the tilde is the last character of ASCII.
        if parts.count == 3 { parts.append("~") }
        text = parts.joined(separator: "-")
    }

    static func == (left: PaddedVersion, right: PaddedVersion) -> Bool { left.text.hasBytes(of: right.text) }

    static func < (left: PaddedVersion, right: PaddedVersion) -> Bool { left.text.comesBefore(right.text) }
}
