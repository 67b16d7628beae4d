internal import AlmanacTargeting

/// A constraint, and the forms of its constants.
struct UnleashConstraint {
    let node: SourceNode
    let name: String
    let operation: String

    init(_ node: SourceNode, _ name: String, _ operation: String) {
        (self.node, self.name, self.operation) = (node, name, operation)
    }

    var ignoresCase: Bool { node["caseInsensitive"]?.bool == true }

    func obstacle(_ reason: String, at member: String) -> Obstacle {
        Obstacle(reason: reason, pointer: node[member]?.pointer ?? node.pointer)
    }

    /// Returns the constants of an operator that takes several.
    func texts(mayBeEmpty: Bool) throws(Obstacle) -> [String] {
        var texts: [String] = []
        if let list = node["values"] {
            guard let elements = list.elements else { throw obstacle("expected an array of texts", at: "values") }
            for element in elements {
                guard let text = element.text else {
                    throw element.obstacle("expected a text")
                }
                guard text.utf8.last != UInt8(ascii: "\\") else {
                    throw element.obstacle("clients of Unleash read a text that ends with \\ differently")
                }
                texts.append(text)
            }
        }
        guard mayBeEmpty || !texts.isEmpty else { throw obstacle("\(operation) needs values", at: "values") }
        return texts
    }

    /// The only constant. Unleash's current clients skip spaces around a number, a time and a version.
    private var constant: Substring? {
        guard let text = node["value"]?.text else { return nil }
        func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
        var rest = text[...]
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }

    /// Returns the number, or nil for a text that is none for all clients.
    func number() throws(Obstacle) -> Double? {
        guard let constant, UnleashForm.isNumber(constant.utf8), let number = Double(constant), number.isFinite else {
            return nil
        }
        return number
    }

    /// Returns a time in the form `2026-12-01T09:00:00Z`, with milliseconds or another zone.
    func date() -> String? {
        guard let constant, UnleashForm.isDate(Array(constant.utf8)) else { return nil }
        return String(constant)
    }

    /// Returns a semantic version with its three numbers.
    func version() -> String? {
        guard let constant, UnleashForm.isVersion(constant.utf8) else { return nil }
        return String(constant)
    }

    /// True if a number or a boolean can have this text.
    static func isNumberOrBoolean(_ text: String) -> Bool {
        text == "true" || text == "false"
            || text.utf8.contains(where: UnleashForm.isDigit)
                && text.utf8.allSatisfy { UnleashForm.isDigit($0) || "+-.eE".utf8.contains($0) }
    }

    /// True if the text of a number or a boolean can contain this text.
    static func mayBeInNumber(_ text: String) -> Bool {
        text.utf8.allSatisfy { UnleashForm.isDigit($0) || "+-.eEtrufalsTRUFALS".utf8.contains($0) }
    }
}

/// The forms of constants in Unleash's rules.
enum UnleashForm {
    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// True for a number with digits before the point, such as `-12.5e3`.
    static func isNumber(_ text: Substring.UTF8View) -> Bool {
        var rest = text
        func skipSign() { if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() } }
        func skipDigits() -> Bool {
            let count = rest.count
            while let byte = rest.first, isDigit(byte) { rest.removeFirst() }
            return rest.count < count
        }
        skipSign()
        guard skipDigits() else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            _ = skipDigits()
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            skipSign()
            guard skipDigits() else { return false }
        }
        return rest.isEmpty
    }

    static func isDate(_ text: [UInt8]) -> Bool {
        let zones = [Array("Z".utf8), Array("+00:00".utf8), Array("-00:00".utf8)]
        let forms = ["0000-00-00T00:00:00", "0000-00-00T00:00:00.000"].flatMap { start in
            zones.map { Array(start.utf8) + $0 }
        }
        let shape = text.map { isDigit($0) ? UInt8(ascii: "0") : $0 }
        // Clients read a leap second differently.
        return forms.contains(shape) && text[17] < UInt8(ascii: "6")
    }

    static func isVersion(_ text: Substring.UTF8View) -> Bool {
        let core = text.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }
        let numbers = core.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return numbers.count == 3
            && numbers.allSatisfy { number in
                !number.isEmpty && number.allSatisfy(isDigit)
                    && (number.count == 1 || number.first != UInt8(ascii: "0"))
            }
    }
}
