internal import AlmanacTargeting

/// The texts that Flagsmith's engine takes as numbers. The engine is written in Python, and converts as Python does.
enum FlagsmithNumber {
    /// Returns the digits of a whole number in the shortest form, or nil for other texts.
    static func whole(_ text: String, _ node: SourceNode) throws(Obstacle) -> String? {
        guard let digits = try bare(text, node), isMade(of: "0123456789", digits.drop { $0 == "-" || $0 == "+" }),
            digits.dropFirst().allSatisfy({ $0 != "-" && $0 != "+" })
        else { return nil }
        let shortest = digits.drop { $0 == "-" || $0 == "+" }.drop { $0 == "0" }
        if shortest.isEmpty { return "0" }
        return (digits.hasPrefix("-") ? "-" : "") + shortest
    }

    /// Returns a number, which may be infinite or no number, or nil for other texts.
    static func fraction(_ text: String, _ node: SourceNode) throws(Obstacle) -> Double? {
        guard let digits = try bare(text, node)?.lowercased() else { return nil }
        let unsigned = digits.hasPrefix("-") || digits.hasPrefix("+") ? digits.dropFirst() : digits[...]
        if ["inf", "infinity"].contains(unsigned) { return digits.hasPrefix("-") ? -.infinity : .infinity }
        if unsigned == "nan" { return .nan }
        guard isMade(of: "0123456789.e+-", unsigned), unsigned.first != "-", unsigned.first != "+" else { return nil }
        return Double(digits)
    }

    /// Returns the text without spaces around it and without underscores between digits, or nil if an underscore is
    /// elsewhere.
    private static func bare(_ text: String, _ node: SourceNode) throws(Obstacle) -> String? {
        guard
            text.unicodeScalars.allSatisfy({
                $0.isASCII || !($0.properties.numericType == .decimal || $0.properties.isWhitespace)
            })
        else { throw node.obstacle("the constant has digits or spaces beyond ASCII") }
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, ScalarClass.space.contains(first) || (28...31).contains(first.value) {
            scalars.removeFirst()
        }
        while let last = scalars.last, ScalarClass.space.contains(last) || (28...31).contains(last.value) {
            scalars.removeLast()
        }
        let bare = Array(scalars)
        for (place, scalar) in bare.enumerated() where scalar == "_" {
            guard place > 0, place + 1 < bare.count, ScalarClass.digit.contains(bare[place - 1]),
                ScalarClass.digit.contains(bare[place + 1])
            else { return nil }
        }
        return String(String.UnicodeScalarView(bare.filter { $0 != "_" }))
    }

    private static func isMade(of allowed: String, _ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { allowed.contains($0) }
    }

    /// True for a text that is a number as the value of an attribute.
    static func isNumber(_ text: String) -> Bool {
        let unsigned = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = unsigned.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { isMade(of: "0123456789", $0) }
    }

    /// True for a whole number without zeros in front.
    static func isShortest(_ text: String) -> Bool {
        guard isNumber(text), !text.contains(".") else { return false }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        return digits.first == "0" ? text == "0" : true
    }

    /// True for a complete version (semver.org, 2.0.0).
    static func isVersion(_ text: String) -> Bool {
        guard text.unicodeScalars.allSatisfy({ $0.isASCII }) else { return false }
        let build = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let label = build[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = label[0].split(separator: ".", omittingEmptySubsequences: false)
        let labels = label.dropFirst().flatMap { $0.split(separator: ".", omittingEmptySubsequences: false) }
        let builds = build.dropFirst().flatMap { $0.split(separator: ".", omittingEmptySubsequences: false) }
        return numbers.count == 3 && numbers.allSatisfy { isShortest(String($0)) && UInt64($0) != nil }
            && (labels + builds).allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
            && labels.allSatisfy { !isMade(of: "0123456789", $0) || isShortest(String($0)) }
    }

    /// Returns the texts of a list: an array, or a text that is an array as JSON, or one with commas.
    static func list(_ node: SourceNode) throws(Obstacle) -> [String] {
        let value = node["value"]
        if value?.elements != nil { return try texts(value?.value, node) }
        guard let text = value?.text else { throw node.obstacle("\"value\" must be a text or an array") }
        guard text.hasPrefix("[") else { return parts(text) }
        if let array = try? FlagValue(json: text) { return try texts(array, node) }
        // Python also reads numbers that are none, repeated names, and halves of surrogate pairs.
        guard !text.contains(where: { "{\\".contains($0) }), !text.contains("NaN"), !text.contains("Infinity") else {
            throw node.obstacle("\"value\" must be a text with commas, or an array as JSON")
        }
        return parts(text)
    }

    private static func parts(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    private static func texts(_ value: FlagValue?, _ node: SourceNode) throws(Obstacle) -> [String] {
        guard case .array(let elements)? = value else { return [] }
        var texts: [String] = []
        for element in elements {
            switch element {
            case .string(let text): texts.append(text)
            case .number(let number): texts.append(number.text)
            case .bool(let value): texts.append(value ? "True" : "False")
            case .null: texts.append("None")
            case .array, .object: throw node.obstacle("\"value\" must be a list of texts")
            }
        }
        return texts
    }

    /// Returns true if two numbers stand in a relation.
    static func holds(_ relation: String, _ left: Double, _ right: Double) -> Bool {
        switch relation {
        case "<": left < right
        case "<=": left <= right
        case ">": left > right
        case ">=": left >= right
        default: left != right
        }
    }
}
