internal import AlmanacPOSIX
internal import Glibc

public enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    public var type: JSONType {
        switch self {
        case .null: .null
        case .boolean: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// The text of a string, or nil for any other type.
    public var stringValue: String? { if case .string(let text) = self { text } else { nil } }

    /// The value of a boolean, or nil for any other type.
    public var boolValue: Bool? { if case .boolean(let truth) = self { truth } else { nil } }

    /// The number with its digits, or nil for any other type.
    public var numberValue: JSONNumber? { if case .number(let number) = self { number } else { nil } }

    public var arrayValue: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    public var objectValue: JSONObject? { if case .object(let object) = self { object } else { nil } }

    /// Parses a JSON text: one value of any type, with optional white space around it.
    ///
    /// Size and depth are checked before any allocation. The parser is stricter than RFC 8259: names are unique,
    /// numbers fit a double, and PostgreSQL can store the strings.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONFailure) {
        try self.init(parsing: bytes, size: JSONSize(of: bytes, limits: limits), limits: limits)
    }

    /// Parses a JSON text whose size was measured within the same limits.
    public init(parsing bytes: [UInt8], size: JSONSize, limits: JSONLimits = JSONLimits()) throws(JSONFailure) {
        precondition(size.bytes == bytes.count, "the size belongs to another text")
        let tree = try JanssonTree(parsing: bytes, limits: limits)
        self = try tree.value(digitsFrom: bytes)
    }

    /// Returns compact JSON in UTF-8 with the original order of members and digits of numbers.
    public func serialized() -> [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

/// The types of JSON values, by their names in RFC 8259 and problem documents.
public enum JSONType: String, Sendable {
    case null, boolean, number, string, array, object
}

extension JSONValue: Equatable {
    /// Compares strings by their bytes, numbers by their digits, and objects in any order of members.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

// Real numbers have no literal, because a Double does not preserve the digits.

extension JSONValue: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
}

extension JSONValue: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { (name: $0.0, value: $0.1) }))
    }
}

extension [UInt8] {
    fileprivate func measure(_ limits: JSONLimits) throws(JSONFailure) -> JSONSize {
        if count > limits.bytes { throw .tooLarge(limit: limits.bytes) }
        if starts(with: [0xEF, 0xBB, 0xBF]) {
            throw .syntax(line: 1, column: 1, message: "the text starts with a byte order mark; remove it")
        }
        if allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { throw .empty }
        if let offset = firstNUL {
            let position = TextPosition(of: offset, in: self)
            throw .nulCharacter(line: position.line, column: position.column)
        }
        var scanner = TokenScanner(self)
        var depth = 0
        var size = JSONSize(bytes: count)
        var elements = 1
        while let token = scanner.next() {
            switch token {
            case .opening:
                depth += 1
                size.containers += 1
                size.values += 1
            case .closing: depth -= 1
            case .comma:
                size.values += 1
                if depth == 1 { elements += 1 }
            case .colon: size.members += 1
            case .string, .number: continue
            }
            if depth > limits.depth { throw .tooDeep(limit: limits.depth) }
            if size.containers > limits.containers { throw .tooManyContainers(limit: limits.containers) }
            if size.members > limits.members { throw .tooManyMembers(limit: limits.members) }
            if size.values > limits.values { throw .tooManyValues(limit: limits.values) }
        }
        if elements > limits.elements { throw .tooManyElements(elements, limit: limits.elements) }
        return size
    }

    private var firstNUL: Int? {
        // Safe because memchr reads the array's own bytes.
        unsafe withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let place = unsafe memchr(start, 0, bytes.count) else { return nil }
            return unsafe start.distance(to: UnsafeRawPointer(place))
        }
    }
}

extension JSONValue: CustomStringConvertible {
    public var description: String { String(decoding: serialized(), as: UTF8.self) }
}

/// The limits on a text, checked before any allocation.
public struct JSONLimits: Sendable {
    public var bytes: Int = 4 << 20

    /// The limit on the nesting depth of arrays and objects; the outermost counts as one.
    public var depth: Int = 64

    /// The limit on the number of arrays and objects. `{}` takes two bytes of text and three hundred of memory.
    public var containers: Int = .max

    /// The limit on the members of all objects together. Each member takes an entry in its object's table of names.
    public var members: Int = .max

    /// The approximate limit on the number of values of any type.
    public var values: Int = .max

    /// The limit on the elements or members of the outermost array or object.
    public var elements: Int = .max

    public init() {}
}

public struct JSONSize: Sendable {
    public let bytes: Int
    public var containers = 0
    public var members = 0
    /// The number of values of any type, derived from the brackets and commas.
    public var values = 0

    /// The peak memory for parsing the text, in bytes, while both jansson's tree and the values exist.
    public var memory: Int { 3 * bytes + 320 * containers + 120 * values + 120 * members }

    /// Measures a text, or throws a ``JSONFailure`` if the text exceeds the limits.
    public init(of text: [UInt8], limits: JSONLimits) throws(JSONFailure) { self = try text.measure(limits) }

    fileprivate init(bytes: Int) { self.bytes = bytes }
}
