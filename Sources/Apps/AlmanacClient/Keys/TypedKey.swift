internal import AlmanacJSON

/// A language in which keys are declared.
public enum KeyLanguage: String, CaseIterable, Sendable {
    case swift, typescript, kotlin
}

/// A key as generated code declares it, with the type and default of its value.
struct TypedKey: Sendable {
    /// The key on the server.
    let name: String
    /// The lines of the declaration's comment.
    let comment: [String]
    let shape: ValueShape
    let value: JSONValue

    /// - Parameters:
    ///   - description: the purpose of the key; may be empty.
    ///   - notes: further lines of the comment.
    init(_ name: String, _ shape: ValueShape, default value: JSONValue, description: String, notes: [String] = []) {
        let paragraphs = [Self.lines(description), ["`\(Self.lines(name).joined(separator: " "))`"], notes]
        (self.name, self.shape, self.value) = (name, shape, value)
        comment = Array(paragraphs.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private static func lines(_ text: String) -> [String] { text.split(whereSeparator: \.isNewline).map(String.init) }

    /// Returns the comment in the form of TypeScript and Kotlin. In the text, entities replace the marks of a comment's
    /// beginning and end, because Kotlin's comments nest.
    func blockComment(indent: String) -> [String] {
        let lines = comment.map { line in
            var (text, last): (String, Unicode.Scalar) = ("", " ")
            for scalar in line.unicodeScalars {
                switch (last, scalar) {
                case ("*", "/"): text += "&#47;"
                case ("/", "*"): text += "&#42;"
                default: text.unicodeScalars.append(scalar)
                }
                last = text.unicodeScalars.last ?? " "
            }
            return text
        }
        if lines.count == 1 { return ["\(indent)/** \(lines[0]) */"] }
        return ["\(indent)/**"] + lines.map { $0.isEmpty ? "\(indent) *" : "\(indent) * \($0)" } + ["\(indent) */"]
    }
}

extension String {
    /// Returns a string literal, in which control characters and those that change the direction of text are escaped.
    ///
    /// - Parameters:
    ///   - marks: the characters that need a backslash.
    ///   - escape: returns the escape for the hexadecimal digits of a character.
    func quoted(marks: String = "\"\\", escape: (String) -> String) -> String {
        var code = "\""
        for scalar in unicodeScalars {
            if marks.unicodeScalars.contains(scalar) {
                code += "\\\(scalar)"
            } else if scalar.properties.generalCategory == .control || scalar.properties.isBidiControl {
                code += escape(String(scalar.value, radix: 16))
            } else {
                code.unicodeScalars.append(scalar)
            }
        }
        return code + "\""
    }

    /// Returns the digits of a character as an escape with four digits, such as `\u000a`.
    static func shortEscape(_ digits: String) -> String {
        "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
