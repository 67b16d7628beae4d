/// Why a text was refused as JSON.
///
/// Lines and columns count from 1; columns are code points, and name where reading stopped: the last character of the
/// offending word or string.
public enum JSONFailure: Error, Equatable, Sendable {
    /// There is no value: no bytes, or only white space.
    case empty

    /// - limit: in bytes.
    case tooLarge(limit: Int)

    /// - limit: in arrays and objects inside each other.
    case tooDeep(limit: Int)

    /// An object names a member twice, perhaps once with escapes.
    case duplicateName(String?, line: Int, column: Int)

    case notUTF8(line: Int, column: Int)

    /// U+0000, as a byte or as `\u0000`: valid JSON, but no text that PostgreSQL can hold.
    case nulCharacter(line: Int, column: Int)

    /// A string with half of a surrogate pair, `"\ud800"`, which no UTF-8 text can hold; the position is its end.
    case loneSurrogate(line: Int, column: Int)

    /// Larger than a double, an exponent beyond ±308, or more than 400 characters.
    case numberOutOfRange(line: Int, column: Int)

    /// - message: in the words of the parser.
    case syntax(line: Int, column: Int, message: String)
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
            "Arrays and objects stand more than \(limit) deep inside each other."
        case .duplicateName(let name?, let line, let column):
            "line \(line), column \(column): the object has two members with the name \(JSONValue.string(name))."
        case .duplicateName(nil, let line, let column):
            "line \(line), column \(column): the object has two members with the same name."
        case .notUTF8(let line, let column):
            "line \(line), column \(column): the bytes are not UTF-8."
        case .nulCharacter(let line, let column):
            "line \(line), column \(column): the character U+0000 cannot be stored."
        case .loneSurrogate(let line, let column):
            "line \(line), column \(column): the string that ends here has half of a surrogate pair."
        case .numberOutOfRange(let line, let column):
            "line \(line), column \(column): the number is larger or longer than can be stored."
        case .syntax(let line, let column, let message):
            "line \(line), column \(column): \(message)."
        }
    }
}
