/// Unique Swift names for names of the config.
struct SwiftNames {
    /// The used names, initially those that the generated code refers to.
    private var taken: Set = [
        "Any", "Bool", "Codable", "CodingKey", "CodingKeys", "Double", "Hashable", "Int", "Protocol", "Self",
        "Sendable", "String", "Type",
    ]
    /// The type of values that have no common type.
    let anything: String

    /// - Parameter others: further names that the generated code refers to.
    init(anything: String, others: [String] = []) {
        self.anything = anything
        taken.formUnion(others + [anything])
    }

    /// Returns `appFunButton` for `app.fun_button`. A number is appended to a duplicate name.
    mutating func variable(_ name: String) -> String { once(Self.variable(name)) }

    /// Returns `AppFunButton` for `app.fun_button`.
    mutating func type(_ name: String) -> String { once(Self.capitalised(Self.variable(name))) }

    private mutating func once(_ name: String) -> String {
        var number = 1
        while !taken.insert(number == 1 ? name : "\(name)\(number)").inserted { number += 1 }
        return number == 1 ? name : "\(name)\(number)"
    }

    private static func variable(_ name: String) -> String {
        let isWord: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let words = name.split { !isWord($0) }.map(String.init)
        guard let first = words.first else { return "value" }
        // A word of capitals only is lowercased as a whole.
        let start =
            first.allSatisfy(\.isUppercase) ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        let all = start + words.dropFirst().map(capitalised).joined()
        return all.first?.isNumber == true ? "value" + all : all
    }

    private static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// Returns a name for code, with backticks around a keyword.
    static func code(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Returns a name for an argument label, where `inout` is the only keyword that needs backticks.
    static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

    private static let keywords: Set = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
