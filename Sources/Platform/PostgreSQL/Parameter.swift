public import AlmanacTimestamps

/// A value for a placeholder (`$1`, `$2`, …) of a statement; nil is SQL's null.
///
/// Every value is sent in binary format with its type, so none is quoted, escaped or guessed. The server refuses a text
/// with U+0000 (`SQLState.characterNotInRepertoire`). JSON is a text that the statement casts: `$1::jsonb`.
public enum Parameter: Sendable {
    case text(String?)
    case bytes([UInt8]?)
    case bigint(Int64?)
    case integer(Int32?)
    case boolean(Bool?)
    case timestamp(Timestamp?)

    case textArray([String?])
    case bytesArray([[UInt8]?])
    case bigintArray([Int64?])
    case integerArray([Int32?])
    case booleanArray([Bool?])
    case timestampArray([Timestamp?])

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

    /// Appends the value in PostgreSQL's binary format. Returns false for null, which has no bytes.
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

    /// Appends an array with one dimension, indexed from 1: the number of dimensions, a flag for nulls, the element
    /// type, the count, the first index, then each element after its length, which is -1 for null (`array_recv`).
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
    /// Encodes microseconds since 2000. An instant out of range becomes a value that the server refuses.
    func encode(to bytes: inout [UInt8]) {
        let (sinceEpoch, early) = milliseconds.subtractingReportingOverflow(Self.epoch.milliseconds)
        let (microseconds, far) = sinceEpoch.multipliedReportingOverflow(by: 1000)
        let value = early || far ? (milliseconds < 0 ? Int64.min + 1 : Int64.max - 1) : microseconds
        value.encode(to: &bytes)
    }
}

extension Timestamp {
    /// The epoch of PostgreSQL: 2000-01-01T00:00:00Z.
    static let epoch = Timestamp(milliseconds: 946_684_800_000)
}

/// The encoded parameters of one call, one after another.
struct EncodedParameters {
    let types: [TypeOID]
    private let bytes: [UInt8]
    private let offsets: [Int?]
    private let lengths: [Int32]

    /// - Throws: `.refused` if a parameter exceeds the length limit of the protocol.
    init(_ parameters: [Parameter]) throws(PostgresFailure) {
        var bytes: [UInt8] = []
        var offsets: [Int?] = []
        var lengths: [Int32] = []
        for parameter in parameters {
            let start = bytes.count
            let isNull = !parameter.append(to: &bytes)
            guard let length = Int32(exactly: bytes.count - start) else {
                throw .refused(ServerError(state: .programLimitExceeded, message: "a parameter is 2 GiB or larger"))
            }
            offsets.append(isNull ? nil : start)
            lengths.append(length)
        }
        // The additional byte gives the buffer an address even if it contains only an empty text.
        bytes.append(0)
        types = parameters.map(\.type)
        self.bytes = bytes
        self.offsets = offsets
        self.lengths = lengths
    }

    var count: Int32 { Int32(clamping: lengths.count) }

    /// Calls a closure with the values, their lengths and their formats (all binary) in the form of libpq.
    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        let formats = [Int32](repeating: 1, count: lengths.count)
        // Safe because libpq copies what it sends and keeps none of the pointers.
        return unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
            let values = unsafe offsets.map { offset in unsafe offset.map { unsafe start + $0 } }
            return unsafe values.withUnsafeBufferPointer { values in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe formats.withUnsafeBufferPointer { formats in
                        unsafe body(values.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}

/// C strings: texts followed by zero bytes, and a table of their addresses that ends with null.
struct CStrings {
    private var bytes: [CChar] = []
    private var offsets: [Int] = []

    init(_ texts: [String]) {
        for text in texts {
            offsets.append(bytes.count)
            bytes.append(contentsOf: text.utf8.map { CChar(bitPattern: $0) })
            bytes.append(0)
        }
    }

    func withTable<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result) -> Result {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            let addresses = unsafe offsets.map { unsafe Optional(bytes.baseAddress! + $0) } + [nil]
            return unsafe addresses.withUnsafeBufferPointer { unsafe body($0.baseAddress!) }
        }
    }
}
