/// Names of Swift for names of the config, each of them once.
struct SwiftNames {
    /// At first what the code itself means something by.
    private var taken: Set = [
        "Any", "Bool", "Codable", "CodingKey", "CodingKeys", "Double", "Hashable", "Int", "Protocol", "Self",
        "Sendable", "String", "Type",
    ]
    /// The type of values that no one type fits.
    let anything: String

    /// - Parameter others: what the code means something by besides.
    init(anything: String, others: [String] = []) {
        self.anything = anything
        taken.formUnion(others + [anything])
    }

    /// `app.fun_button` as `appFunButton`; another name that would be the same gets a number.
    mutating func variable(_ name: String) -> String { once(Self.variable(name)) }

    /// `app.fun_button` as `AppFunButton`.
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
        // APPName begins with capitals, which are one word.
        let start =
            first.allSatisfy(\.isUppercase) ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        let all = start + words.dropFirst().map(capitalised).joined()
        return all.first?.isNumber == true ? "value" + all : all
    }

    private static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// A name as it stands in code, in backticks where Swift means something else by it.
    static func code(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// The same as the label of an argument, where all words but one mean only that.
    static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

    private static let keywords: Set = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
