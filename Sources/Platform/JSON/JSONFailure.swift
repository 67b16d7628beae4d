internal import AlmanacCJansson

/// The reason for which a text was refused as JSON.
///
/// Lines and columns count from 1. Columns count code points, and give the place where the parser stopped: the last
/// character of the offending word or string.
public enum JSONFailure: Error, Equatable, Sendable {
    /// The text has no bytes or only white space.
    case empty

    /// The text is longer than the limit, in bytes.
    case tooLarge(limit: Int)

    /// Arrays and objects are nested deeper than the limit.
    case tooDeep(limit: Int)

    /// The text has more arrays and objects than the limit.
    case tooManyContainers(limit: Int)

    /// All objects together have more members than the limit.
    case tooManyMembers(limit: Int)

    /// The text has more values than the limit.
    case tooManyValues(limit: Int)

    /// The outermost array or object has more elements than the limit.
    case tooManyElements(Int, limit: Int)

    /// An object has two members with the same name, which may be escaped differently.
    case duplicateName(String?, line: Int, column: Int)

    case notUTF8(line: Int, column: Int)

    /// The text contains U+0000, as a byte or as `\u0000`: valid JSON, but PostgreSQL cannot store it.
    case nulCharacter(line: Int, column: Int)

    /// A string contains half of a surrogate pair, `"\ud800"`, and ends at the position. UTF-8 can't represent it.
    case loneSurrogate(line: Int, column: Int)

    /// A number exceeds a double, has an exponent beyond ±308, or has more than 400 characters.
    case numberOutOfRange(line: Int, column: Int)

    /// The syntax is invalid; the message is the parser's.
    case syntax(line: Int, column: Int, message: String)

    /// Creates the failure for an error of jansson.
    ///
    /// - Parameters:
    ///   - text: The parsed text.
    ///   - limits: The limits of the parser.
    init(_ error: json_error_t, in text: [UInt8], limits: JSONLimits) {
        var error = error
        let code = unsafe json_error_code(&error)
        let message = error.message
        let line = max(1, Int(error.line))
        let column = max(1, Int(error.column))
        switch code {
        case json_error_invalid_utf8:
            // jansson stops before the malformed byte.
            self = .notUTF8(line: line, column: Int(error.column) + 1)
        case json_error_null_character, json_error_null_byte_in_key: self = .nulCharacter(line: line, column: column)
        case json_error_duplicate_key:
            let name = Self.string(endingBy: Int(error.position), in: text)
            self = .duplicateName(name, line: line, column: column)
        case json_error_numeric_overflow: self = .numberOutOfRange(line: line, column: column)
        case json_error_stack_overflow: self = .tooDeep(limit: min(limits.depth, 2048))
        case json_error_out_of_memory: fatalError("out of memory")
        default:
            // Lone surrogates have no error code of their own.
            let isLoneSurrogate = message.utf8.starts(with: "invalid Unicode '".utf8)
            self =
                isLoneSurrogate
                ? .loneSurrogate(line: line, column: column) : .syntax(line: line, column: column, message: message)
        }
    }

    /// Returns the last string that ends at or before an offset.
    private static func string(endingBy offset: Int, in text: [UInt8]) -> String? {
        var scanner = TokenScanner(text)
        var last: Range<Int>?
        while let token = scanner.next() {
            guard case .string(let range) = token else { continue }
            if range.upperBound > offset { break }
            last = range
        }
        return last.flatMap { try? JSONValue(parsing: Array(text[$0])).stringValue }
    }
}

extension JSONFailure: CustomStringConvertible {
    /// A sentence for the detail of a problem document.
    public var description: String {
        switch self {
        case .empty:
            "There is no JSON value: the text is empty."
        case .tooLarge(let limit):
            "The text is longer than \(limit) bytes."
        case .tooDeep(let limit):
            "Arrays and objects are nested deeper than \(limit) levels."
        case .tooManyContainers(let limit):
            "There are more than \(limit) arrays and objects."
        case .tooManyMembers(let limit):
            "The objects have more than \(limit) members in total."
        case .tooManyValues(let limit):
            "There are more than \(limit) values."
        case .tooManyElements(let count, let limit):
            "The outermost array or object has \(count) elements; the limit is \(limit)."
        case .duplicateName(let name?, let line, let column):
            "line \(line), column \(column): the object has two members with the name \(JSONValue.string(name))."
        case .duplicateName(nil, let line, let column):
            "line \(line), column \(column): the object has two members with the same name."
        case .notUTF8(let line, let column): "line \(line), column \(column): the bytes are not UTF-8."
        case .nulCharacter(let line, let column):
            "line \(line), column \(column): the character U+0000 cannot be stored."
        case .loneSurrogate(let line, let column):
            "line \(line), column \(column): the string that ends here has half of a surrogate pair."
        case .numberOutOfRange(let line, let column):
            "line \(line), column \(column): the number is larger or longer than can be stored."
        case .syntax(let line, let column, let message): "line \(line), column \(column): \(message)."
        }
    }
}

extension json_error_t {
    fileprivate var message: String {
        // Safe because jansson ends the text with a zero byte inside the field.
        unsafe withUnsafeBytes(of: text) { unsafe String(cString: $0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    }
}

struct TextPosition {
    /// The line, from 1.
    let line: Int
    /// The column in code points, from 1.
    let column: Int

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// - Parameter offset: The offset in bytes, from 0.
    init(of offset: Int, in text: [UInt8]) {
        let before = text[..<offset]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        // Bytes 10xxxxxx continue a code point.
        column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
    }
}
