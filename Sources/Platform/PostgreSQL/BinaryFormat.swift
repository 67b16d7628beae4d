internal import AlmanacTimestamps

/// Decoders for PostgreSQL's binary format. Each returns nil if the value has another type or is malformed.
enum BinaryFormat {
    static func text(_ type: TypeOID, _ bytes: Span<UInt8>) -> String? {
        guard type != .bytea, let start = contentStart(type, bytes) else { return nil }
        do {
            return String(copying: try UTF8Span(validating: bytes.extracting(droppingFirst: start)))
        } catch {
            return nil
        }
    }

    static func bytes(_ type: TypeOID, _ bytes: Span<UInt8>) -> [UInt8]? {
        guard let start = contentStart(type, bytes) else { return nil }
        // Safe because the bytes are copied within the call.
        return unsafe bytes.extracting(droppingFirst: start).withUnsafeBufferPointer { unsafe Array($0) }
    }

    static func bigint(_ type: TypeOID, _ bytes: Span<UInt8>) -> Int64? {
        switch type {
        case .int8: number(bytes)
        case .int4: number(bytes, as: Int32.self).map(Int64.init)
        case .int2: number(bytes, as: Int16.self).map(Int64.init)
        default: nil
        }
    }

    static func boolean(_ type: TypeOID, _ bytes: Span<UInt8>) -> Bool? {
        type == .bool && bytes.count == 1 ? bytes[0] != 0 : nil
    }

    /// Decodes microseconds since 2000, truncated to milliseconds. An infinity or a year out of range yields nil.
    static func timestamp(_ type: TypeOID, _ bytes: Span<UInt8>) -> Timestamp? {
        guard type == .timestamptz, let microseconds = number(bytes, as: Int64.self) else { return nil }
        let milliseconds = microseconds >= 0 ? microseconds / 1000 : (microseconds - 999) / 1000
        let (sinceUnixEpoch, overflow) = milliseconds.addingReportingOverflow(Timestamp.epoch.milliseconds)
        let timestamp = Timestamp(milliseconds: sinceUnixEpoch)
        return overflow || timestamp < .earliest || timestamp > .latest ? nil : timestamp
    }

    /// Decodes a canonical range of integers: an inclusive lower, an exclusive upper bound (`range_send`).
    static func integerRange(_ type: TypeOID, _ bytes: Span<UInt8>) -> (lower: Int, upper: Int?)? {
        let (empty, lowerIncluded, upperIncluded, lowerInfinite, upperInfinite): (UInt8, UInt8, UInt8, UInt8, UInt8) =
            (0x01, 0x02, 0x04, 0x08, 0x10)
        guard type == .int4range, bytes.count >= 9 else { return nil }
        let flags = bytes[0]
        guard flags & (empty | upperIncluded | lowerInfinite) == 0, flags & lowerIncluded != 0,
            number(bytes, at: 1, as: Int32.self) == 4, let lower = number(bytes, at: 5, as: Int32.self)
        else { return nil }
        if flags & upperInfinite != 0 { return (Int(lower), nil) }
        guard bytes.count == 17, let upper = number(bytes, at: 13, as: Int32.self) else { return nil }
        return (Int(lower), Int(upper))
    }

    /// Decodes an array with at most one dimension (`array_send`); null elements become nil.
    static func array<Element>(
        _ type: TypeOID, _ bytes: Span<UInt8>, of expected: [TypeOID: TypeOID],
        _ element: (TypeOID, Span<UInt8>) -> Element?
    ) -> [Element?]? {
        guard let elementType = expected[type], let dimensions = number(bytes, at: 0, as: Int32.self),
            number(bytes, at: 8, as: UInt32.self) == elementType.rawValue
        else { return nil }
        if dimensions == 0 { return [] }
        guard dimensions == 1, let count = number(bytes, at: 12, as: Int32.self), count >= 0 else { return nil }
        var elements: [Element?] = []
        var position = 20
        for _ in 0..<count {
            guard let length = number(bytes, at: position, as: Int32.self) else { return nil }
            position += 4
            if length < 0 {
                elements.append(nil)
                continue
            }
            let end = position + Int(length)
            guard end <= bytes.count, let value = element(elementType, bytes.extracting(position..<end)) else {
                return nil
            }
            elements.append(value)
            position = end
        }
        return elements
    }

    /// Returns the offset of a value's content. A `jsonb` value has a version byte before its content.
    private static func contentStart(_ type: TypeOID, _ bytes: Span<UInt8>) -> Int? {
        switch type {
        case .text, .varchar, .bpchar, .name, .json, .bytea: 0
        case .jsonb: bytes.count > 0 && bytes[0] == 1 ? 1 : nil
        default: nil
        }
    }

    private static func number<Number: FixedWidthInteger>(
        _ bytes: Span<UInt8>, as _: Number.Type = Number.self
    ) -> Number? {
        bytes.count == MemoryLayout<Number>.size ? number(bytes, at: 0) : nil
    }

    private static func number<Number: FixedWidthInteger>(
        _ bytes: Span<UInt8>, at position: Int, as _: Number.Type = Number.self
    ) -> Number? {
        guard position >= 0, position + MemoryLayout<Number>.size <= bytes.count else { return nil }
        var number: Number = 0
        for index in position..<position + MemoryLayout<Number>.size {
            number = number << 8 | Number(truncatingIfNeeded: bytes[index])
        }
        return number
    }
}

/// The identifier of a PostgreSQL type in the protocol (`pg_type.dat`).
struct TypeOID: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt32

    static let bool = TypeOID(rawValue: 16)
    static let bytea = TypeOID(rawValue: 17)
    static let name = TypeOID(rawValue: 19)
    static let int8 = TypeOID(rawValue: 20)
    static let int2 = TypeOID(rawValue: 21)
    static let int4 = TypeOID(rawValue: 23)
    static let text = TypeOID(rawValue: 25)
    static let json = TypeOID(rawValue: 114)
    static let bpchar = TypeOID(rawValue: 1042)
    static let varchar = TypeOID(rawValue: 1043)
    static let timestamptz = TypeOID(rawValue: 1184)
    static let jsonb = TypeOID(rawValue: 3802)
    static let int4range = TypeOID(rawValue: 3904)

    static let boolArray = TypeOID(rawValue: 1000)
    static let byteaArray = TypeOID(rawValue: 1001)
    static let int4Array = TypeOID(rawValue: 1007)
    static let textArray = TypeOID(rawValue: 1009)
    static let int8Array = TypeOID(rawValue: 1016)
    static let timestamptzArray = TypeOID(rawValue: 1185)
}

extension TypeOID: CustomStringConvertible {
    var description: String {
        switch self {
        case .bool: "boolean"
        case .bytea: "bytea"
        case .name: "name"
        case .int8: "bigint"
        case .int2: "smallint"
        case .int4: "integer"
        case .text: "text"
        case .json: "json"
        case .bpchar: "character"
        case .varchar: "character varying"
        case .timestamptz: "timestamp with time zone"
        case .jsonb: "jsonb"
        case .int4range: "int4range"
        default: "of the type with oid \(rawValue)"
        }
    }
}
