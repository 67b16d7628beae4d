/// The types that a file declares and uses, found by its words alone. Members of values are not counted.
///
/// A word is a use of a type if it starts an expression or a dotted name, so `.state` and `store.Item` are no uses.
/// Both `Note.Draft`, and `Draft` inside `Note` or an extension of `Note`, denote the type declared there.
struct TypeDeclarations {
    /// The full names of the types that the whole module sees: `Note`, `Note.Draft`.
    private(set) var declared: Set<String> = []
    /// The names with another meaning in this file: private types, types inside functions, generic parameters.
    private(set) var local: Set<String> = []
    private(set) var uses: [Use] = []

    /// A type's name at one place in the source.
    struct Use: Equatable {
        /// The line, from 1.
        let line: Int
        /// The parts of a dotted name.
        let parts: [String]
        /// The full name of the enclosing type, empty outside all types.
        let context: [String]
    }

    private enum Scope {
        case type([String])
        case other
    }

    /// A name or a single other character.
    private struct Word {
        let text: Substring
        /// The line, from 1.
        let line: Int

        var isTypeName: Bool { text.utf8.first.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") } == true }

        static func all(in code: String, line: Int) -> [Word] {
            var words: [Word] = []
            let bytes = code.utf8
            var index = bytes.startIndex
            while index < bytes.endIndex {
                let start = index
                while index < bytes.endIndex, bytes[index].isPartOfName { bytes.formIndex(after: &index) }
                if index == start { bytes.formIndex(after: &index) }
                if !" `".utf8.contains(bytes[start]) { words.append(Word(text: code[start..<index], line: line)) }
            }
            return words
        }
    }

    private let words: [Word]
    private var scopes: [Scope] = []

    init(_ file: SourceFile) {
        words = file.code.enumerated().flatMap { Word.all(in: $1, line: $0 + 1) }
        scan()
    }

    /// The full name of the innermost type around the scanner, empty outside all types and nil inside a function.
    private var context: [String]? {
        switch scopes.last {
        case .type(let name): name
        case .other: nil
        case nil: []
        }
    }

    private mutating func scan() {
        var opening: Scope = .other
        var index = 0
        while index < words.count {
            let word = words[index]
            switch word.text {
            case "{":
                scopes.append(opening)
                opening = .other
            case "}":
                _ = scopes.popLast()
            case "import":
                // An import names modules, not types.
                while index + 1 < words.count, words[index + 1].line == word.line { index += 1 }
            case "struct", "enum", "class", "actor", "protocol":
                guard let name = nameDeclared(at: index) else { break }
                opening = declare(name, at: index)
                index += 1
            case "typealias", "associatedtype":
                guard let name = nameDeclared(at: index) else { break }
                _ = declare(name, at: index)
                index += 1
            case "extension" where self[index - 1] != ".":
                opening = .type(chain(from: index + 1))
            case "func", "init", "subscript", "macro":
                takeGenericParameters(from: index + (word.text == "func" ? 2 : 1))
            default:
                let isLabel = self[index + 1] == ":" && ["(", ","].contains(self[index - 1])
                if word.isTypeName, self[index - 1] != ".", !isLabel {
                    let parts = chain(from: index)
                    uses.append(Use(line: word.line, parts: parts, context: enclosingType))
                    index += 2 * (parts.count - 1)
                }
            }
            index += 1
        }
    }

    private subscript(index: Int) -> Substring { words.indices.contains(index) ? words[index].text : "" }

    /// The full name of the innermost type around the scanner, even from inside a function.
    private var enclosingType: [String] {
        for case .type(let name) in scopes.reversed() { return name }
        return []
    }

    /// Returns the name after a keyword that declares a type, or nil if the keyword has another meaning, as in `class
    /// func`.
    private func nameDeclared(at index: Int) -> String? {
        guard self[index - 1] != ".", words.indices.contains(index + 1), words[index + 1].isTypeName else { return nil }
        return String(words[index + 1].text)
    }

    private mutating func declare(_ name: String, at index: Int) -> Scope {
        takeGenericParameters(from: index + 2)
        guard let context else {
            local.insert(name)
            return .other
        }
        var first = index
        while Self.modifiers.contains(self[first - 1]) { first -= 1 }
        if context.isEmpty, words[first..<index].contains(where: { $0.text == "private" || $0.text == "fileprivate" }) {
            local.insert(name)
        } else {
            declared.insert((context + [name]).joined(separator: "."))
        }
        return .type(context + [name])
    }

    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private", "open", "final", "indirect", "nonisolated",
    ]

    /// Records the generic parameters at an index, if any: `Key` and `Value` of `<Key: Hashable, Value>`.
    private mutating func takeGenericParameters(from index: Int) {
        guard self[index] == "<" else { return }
        var (depth, index) = (1, index + 1)
        while depth > 0, index < words.count {
            if self[index] == "<" { depth += 1 }
            if self[index] == ">" { depth -= 1 }
            if depth == 1, ["<", ",", "each", "let"].contains(self[index - 1]), words[index].isTypeName {
                local.insert(String(words[index].text))
            }
            index += 1
        }
    }

    /// Returns the dotted name that starts at an index, as its parts.
    private func chain(from start: Int) -> [String] {
        var parts = [String(self[start])]
        var index = start
        while self[index + 1] == ".", words.indices.contains(index + 2), words[index + 2].isTypeName {
            parts.append(String(self[index + 2]))
            index += 2
        }
        return parts
    }
}

extension UInt8 {
    /// True for a byte of a name in UTF-8: a letter, digit, underscore, or any byte of a character outside ASCII.
    fileprivate var isPartOfName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
