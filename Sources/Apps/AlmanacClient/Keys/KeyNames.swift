/// Unique names in source code for keys and for the types of their values.
struct KeyNames {
    /// The used names, initially those that the generated code refers to.
    private var taken: Set<String>

    init(taken: Set<String> = []) { self.taken = taken }

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
}
