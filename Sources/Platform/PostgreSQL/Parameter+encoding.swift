internal import AlmanacTimestamps

extension Parameter {
    var type: TypeOID {
        switch self {
        case .text: .text
        case .bytes: .bytea
        case .bigint: .int8
        case .integer: .int4
        case .boolean: .bool
        case .timestamp: .timestamptz
        case .textArray: .textArray
        case .bytesArray: .byteaArray
        case .bigintArray: .int8Array
        case .integerArray: .int4Array
        case .booleanArray: .boolArray
        case .timestampArray: .timestamptzArray
        }
    }

    /// Appends the value in PostgreSQL's binary format.
    ///
    /// - Returns: false when the value is null, which has no bytes.
    func append(to bytes: inout [UInt8]) -> Bool {
        switch self {
        case .text(let value): append(value, to: &bytes)
        case .bytes(let value): append(value, to: &bytes)
        case .bigint(let value): append(value, to: &bytes)
        case .integer(let value): append(value, to: &bytes)
        case .boolean(let value): append(value, to: &bytes)
        case .timestamp(let value): append(value, to: &bytes)
        case .textArray(let elements): append(elements, of: .text, to: &bytes)
        case .bytesArray(let elements): append(elements, of: .bytea, to: &bytes)
        case .bigintArray(let elements): append(elements, of: .int8, to: &bytes)
        case .integerArray(let elements): append(elements, of: .int4, to: &bytes)
        case .booleanArray(let elements): append(elements, of: .bool, to: &bytes)
        case .timestampArray(let elements): append(elements, of: .timestamptz, to: &bytes)
        }
    }

    private func append(_ value: (some BinaryEncodable)?, to bytes: inout [UInt8]) -> Bool {
        guard let value else { return false }
        value.encode(to: &bytes)
        return true
    }

    /// One dimension, counted from 1: dimensions, whether there are nulls, type, count, first index, then each element
    /// behind its length, -1 for null (`array_recv`).
    private func append(_ elements: [(some BinaryEncodable)?], of type: TypeOID, to bytes: inout [UInt8]) -> Bool {
        Int32(1).encode(to: &bytes)
        Int32(elements.contains { $0 == nil } ? 1 : 0).encode(to: &bytes)
        type.rawValue.encode(to: &bytes)
        Int32(clamping: elements.count).encode(to: &bytes)
        Int32(1).encode(to: &bytes)
        for element in elements {
            let start = bytes.count
            Int32(-1).encode(to: &bytes)
            guard let element else { continue }
            element.encode(to: &bytes)
            var length: [UInt8] = []
            Int32(clamping: bytes.count - start - 4).encode(to: &length)
            bytes.replaceSubrange(start..<start + 4, with: length)
        }
        return true
    }
}

/// A value with a form in PostgreSQL's binary format.
private protocol BinaryEncodable {
    func encode(to bytes: inout [UInt8])
}

extension FixedWidthInteger {
    fileprivate func encode(to bytes: inout [UInt8]) {
        for shift in stride(from: Self.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: self >> shift))
        }
    }
}

extension Int64: BinaryEncodable {}
extension Int32: BinaryEncodable {}

extension Bool: BinaryEncodable {
    func encode(to bytes: inout [UInt8]) {
        bytes.append(self ? 1 : 0)
    }
}

extension String: BinaryEncodable {
    func encode(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: utf8)
    }
}

extension [UInt8]: BinaryEncodable {
    func encode(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: self)
    }
}

extension Timestamp: BinaryEncodable {
    /// Microseconds since 2000; an instant beyond their range becomes one that the server refuses, never an infinity.
    func encode(to bytes: inout [UInt8]) {
        let (sinceEpoch, early) = milliseconds.subtractingReportingOverflow(Self.epoch.milliseconds)
        let (microseconds, far) = sinceEpoch.multipliedReportingOverflow(by: 1000)
        let value = early || far ? (milliseconds < 0 ? Int64.min + 1 : Int64.max - 1) : microseconds
        value.encode(to: &bytes)
    }
}

extension Timestamp {
    /// Where PostgreSQL counts from: 2000-01-01T00:00:00Z.
    static let epoch = Timestamp(milliseconds: 946_684_800_000)
}
