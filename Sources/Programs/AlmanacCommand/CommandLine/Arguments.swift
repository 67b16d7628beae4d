/// The words of a command line, parsed for a command.
struct Arguments {
    let command: Command
    private var operands: [String: [String]] = [:]
    private var options: [(name: String, value: String)] = []

    /// - Parameter words: the words after the command's name.
    init(_ words: [String], for command: Command) throws(UsageFailure) {
        self.command = command
        var plain: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                plain += rest
                break
            }
            guard Self.isOption(word) else {
                plain.append(word)
                continue
            }
            try parse(word, &rest)
        }
        try assign(plain)
    }

    /// Returns true if a word begins with a hyphen and is neither `-`, for standard input, nor a negative number.
    private static func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), let second = word.utf8.dropFirst().first else { return false }
        return !(48...57).contains(second)
    }

    private mutating func parse(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageFailure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = command.option(parts[0]) else {
            let known = command.options.map(\.name) + ["--help"]
            throw UsageFailure("unknown option '\(parts[0])'" + Suggestion.text(for: parts[0], among: known))
        }
        var value = ""
        if let what = option.value {
            if parts.count == 2 {
                value = parts[1]
            } else if let next = rest.popFirst() {
                value = next
            } else {
                throw UsageFailure("\(option.name) needs a value: \(what)")
            }
        } else if parts.count == 2 {
            throw UsageFailure("\(option.name) takes no value")
        }
        if !option.isRepeated, has(option.name) { throw UsageFailure("\(option.name) is given twice") }
        options.append((option.name, value))
    }

    private mutating func assign(_ words: [String]) throws(UsageFailure) {
        var rest = words[...]
        for operand in command.operands {
            if operand.isRepeated {
                operands[operand.name] = Array(rest)
                if rest.isEmpty, !operand.isOptional { throw UsageFailure("missing argument \(operand.name)") }
                rest = []
            } else if let word = rest.popFirst() {
                operands[operand.name] = [word]
            } else if !operand.isOptional {
                throw UsageFailure("missing argument \(operand.name)")
            }
        }
        if let word = rest.first { throw UsageFailure("unexpected argument '\(word)'") }
    }

    /// Returns an optional operand.
    func optional(_ operand: String) -> String? { operands[operand]?.first }

    /// Returns an operand that the command requires.
    func operand(_ name: String) -> String {
        guard let word = operands[name]?.first else { preconditionFailure("\(command.name) has no \(name)") }
        return word
    }

    /// Returns all words of a repeated operand.
    func all(of operand: String) -> [String] { operands[operand] ?? [] }

    func has(_ name: String) -> Bool { options.contains { $0.name == name } }

    func option(_ name: String) -> String? { options.last { $0.name == name }?.value }

    /// Returns all values given for an option.
    func all(_ name: String) -> [String] { options.filter { $0.name == name }.map(\.value) }

    /// Returns a whole number given for an option.
    func number(_ name: String, in range: ClosedRange<Int64>) throws(UsageFailure) -> String? {
        guard let text = option(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw UsageFailure("\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return String(number)
    }

    /// True if the output is JSON for programs.
    var wantsJSON: Bool { has(Option.json.name) }
}

/// The error of a command line that can't be parsed.
struct UsageFailure: Error, CustomStringConvertible {
    let description: String
    /// The command whose help is suggested.
    var command: String?

    init(_ description: String) { self.description = description }
}
