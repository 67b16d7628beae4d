/// The header fields of a response as they are sent, a line each (RFC 9112 §5); names may repeat.
public struct FieldLines: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init(_ fields: [(name: String, value: String)] = []) {
        bytes.reserveCapacity(512)
        self += fields
    }

    public mutating func append(_ field: (name: String, value: String)) {
        bytes += field.name.utf8
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: " "))
        bytes += field.value.utf8
        bytes.append(UInt8(ascii: "\r"))
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Adds lines that were made before.
    public mutating func append(lines: [UInt8]) { bytes += lines }

    public static func += (lines: inout FieldLines, fields: [(name: String, value: String)]) {
        for field in fields { lines.append(field) }
    }

    public static func += (lines: inout FieldLines, others: FieldLines) {
        lines.bytes += others.bytes
    }

    /// The value of the first field of that name.
    public subscript(_ name: String) -> String? {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let (found, value) = line.parted(at: UInt8(ascii: ":"))
            guard String(decoding: found, as: UTF8.self).caseInsensitivelyEquals(name) else { continue }
            return value.map { String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) }
        }
        return nil
    }
}
