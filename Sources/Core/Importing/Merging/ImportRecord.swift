internal import AlmanacTargeting

/// The digests of parts as they were imported, stored as one text: `state=5feceb66ffc8 variants/on=b5bea41b6c62`.
///
/// A part that has another name in the files is followed by that name: `entries/new-ui=5feceb66ffc8:new%20ui`.
struct ImportRecord {
    private var parts: [String: (digest: String, source: String?)] = [:]

    /// The number of hexadecimal digits of a digest. An accidental match of two values has a chance of 1 in 2⁴⁸.
    private static let digits = 12

    init() {}

    /// Reads a text. A word of another form is no part.
    init(_ text: String) {
        for word in text.split(separator: " ") {
            let pair = word.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let values = pair[1].split(separator: ":", maxSplits: 1)
            guard let digest = values.first else { continue }
            parts[String(pair[0])] = (String(digest), values.count == 2 ? Self.decoded(values[1]) : nil)
        }
    }

    var isEmpty: Bool { parts.isEmpty }

    var text: String {
        parts.sorted { $0.key < $1.key }.map { name, part in
            "\(name)=\(part.digest)" + (part.source.map { ":\(Self.encoded($0))" } ?? "")
        }.joined(separator: " ")
    }

    /// Returns true if the value is the imported one. A missing value is one if the part was missing then.
    func has(_ value: FlagValue?, at path: [String]) -> Bool {
        value.map(Self.digest) == parts[Self.name(of: path)]?.digest
    }

    mutating func set(_ value: FlagValue, at path: [String], source: String? = nil) {
        parts[Self.name(of: path)] = (Self.digest(value), source == path.last ? nil : source)
    }

    mutating func remove(_ path: [String]) { parts[Self.name(of: path)] = nil }

    /// Returns the names within a group by their names in the files.
    func names(in group: String) -> [(source: String, name: String)] {
        let start = Self.encoded(group) + "/"
        return parts.filter { $0.key.hasPrefix(start) }.sorted { $0.key < $1.key }.map { key, part in
            let name = Self.decoded(key.dropFirst(start.utf8.count))
            return (part.source ?? name, name)
        }
    }

    /// Joins encoded names by slashes.
    static func name(of path: [String]) -> String { path.map(encoded).joined(separator: "/") }

    /// Returns the first digits of the SHA-256 digest of a value's canonical JSON.
    private static func digest(_ value: FlagValue) -> String {
        let bytes = Array(value.canonical.json.utf8)
        return String(Digest.hexadecimal(Digest.sha256(bytes.span)).prefix(digits))
    }

    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "$"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let decoded = UInt8(digits, radix: 16) {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension FlagValue {
    /// The value with sorted members and one notation of numbers, because the server stores some numbers in another
    /// notation.
    fileprivate var canonical: FlagValue {
        switch self {
        case .number(let number): .number(number.isWrittenAsInteger ? number : FlagNumber(number.double))
        case .array(let elements): .array(FlagArray(elements.map(\.canonical)))
        case .object(let object): .object(object.canonical)
        default: self
        }
    }
}

extension FlagObject {
    fileprivate var canonical: FlagObject {
        let sorted = members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return FlagObject(sorted.map { Member($0.name, $0.value.canonical) }) ?? self
    }
}
