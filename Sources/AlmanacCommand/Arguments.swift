/// The words of a command line: plain ones in order, and options by name.
struct Arguments {
    private(set) var words: [String] = []
    private var options: [(name: String, value: String)] = []
    let hasHelp: Bool

    private static let flags = ["--help", "-h", "--json"]

    init(_ arguments: [String]) throws(UsageFailure) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-" else {
                words.append(word)
                continue
            }
            if Self.flags.contains(word) {
                options.append((word, ""))
            } else if let separator = word.firstIndex(of: "=") {
                options.append((String(word[..<separator]), String(word[word.index(after: separator)...])))
            } else if let value = rest.popFirst() {
                options.append((word, value))
            } else {
                throw UsageFailure("\(word) needs a value")
            }
        }
        hasHelp = options.contains { $0.name == "--help" || $0.name == "-h" }
    }

    /// Takes the next plain word.
    mutating func next(_ what: String) throws(UsageFailure) -> String {
        guard !words.isEmpty else { throw UsageFailure("expected \(what)") }
        return words.removeFirst()
    }

    /// Refuses words and options that a command doesn't know.
    func finish(allowing names: String...) throws(UsageFailure) {
        if let word = words.first { throw UsageFailure("'\(word)' is too much") }
        let known = names + ["--environments", "--sql"]
        if let option = options.first(where: { !known.contains($0.name) }) {
            throw UsageFailure("\(option.name) is not known here")
        }
    }

    /// The last value given for an option.
    func option(_ name: String) -> String? { options.last { $0.name == name }?.value }

    /// All values given for an option.
    func all(_ name: String) -> [String] { options.filter { $0.name == name }.map(\.value) }
}

/// A command line that cannot be understood.
struct UsageFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
