// JavaScript's conversions, on which JSON Logic is based.
extension FlagValue {
    /// True if a condition with this value holds. An empty array is false; a text that is not empty is true.
    var isTrue: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .number(let number): number.double != 0 && !number.double.isNaN
        case .string(let text): !text.utf8.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object: true
        }
    }

    /// The value as a number, or NaN.
    var double: Double {
        switch self {
        case .null: 0
        case .bool(let value): value ? 1 : 0
        case .number(let number): number.double
        case .string(let text): FlagValue.double(of: text)
        case .array(let elements):
            switch elements.count {
            case 0: 0
            case 1: if case .bool = elements[0] { .nan } else { elements[0].double }
            default: .nan
            }
        case .object: .nan
        }
    }

    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let number): number.textInRules
        case .string(let text): text
        case .array(let elements): FlagValue.joined(elements)
        case .object: "[object Object]"
        }
    }

    /// The value as a part of a joined text: nothing for null.
    var joinedText: String { if case .null = self { "" } else { text } }

    private static func joined(_ elements: FlagArray) -> String {
        var joined = ""
        for (index, element) in elements.enumerated() {
            if index > 0 { joined += "," }
            joined += element.joinedText
        }
        return joined
    }

    /// Compares like `==`, which converts values of different types. Two arrays or objects are never equal.
    func looselyEquals(_ other: FlagValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.null, _), (_, .null): false
        case (.string(let left), .string(let right)): left.hasBytes(of: right)
        case (.number(let left), .number(let right)): left.isSame(as: right)
        case (.array, .array), (.array, .object), (.object, .array), (.object, .object): false
        case (.string(let left), .array), (.string(let left), .object): left.hasBytes(of: other.text)
        case (.array, .string(let right)), (.object, .string(let right)): text.hasBytes(of: right)
        default: double == other.double
        }
    }

    /// Compares two values: as texts if each is a text, an array or an object, and otherwise as numbers.
    func compare(_ other: FlagValue, _ texts: (String, String) -> Bool, _ numbers: (Double, Double) -> Bool) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): return texts(left, right)
        case (.number(let left), .number(let right)):
            let (first, second) = left.ordered(against: right)
            return numbers(first, second)
        default: break
        }
        return isTextual && other.isTextual ? texts(text, other.text) : numbers(double, other.double)
    }

    private var isTextual: Bool {
        switch self {
        case .string, .array, .object: true
        default: false
        }
    }

    /// Converts a text like JavaScript's `Number(text)`, but without hexadecimal, octal and binary notation.
    private static func double(of text: String) -> Double {
        var bytes = text.utf8[...]
        while let byte = bytes.first, isSpace(byte) { bytes.removeFirst() }
        while let byte = bytes.last, isSpace(byte) { bytes.removeLast() }
        guard !bytes.isEmpty else { return 0 }
        if bytes.count <= 15, bytes.allSatisfy({ isDigit($0) }) {
            return Double(bytes.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
        }
        guard isDecimal(bytes) else { return special(bytes) }
        return Double(String(Substring(bytes))) ?? .nan
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func special(_ bytes: Substring.UTF8View) -> Double {
        if bytes.elementsEqual("Infinity".utf8) || bytes.elementsEqual("+Infinity".utf8) { return .infinity }
        return bytes.elementsEqual("-Infinity".utf8) ? -.infinity : .nan
    }

    /// Returns true for a decimal number; its sign, exponent and the digits on one side of the point are optional.
    private static func isDecimal(_ bytes: Substring.UTF8View) -> Bool {
        var rest = bytes
        func skipSign() { if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() } }
        func skipDigits() -> Bool {
            let count = rest.count
            while let byte = rest.first, isDigit(byte) { rest.removeFirst() }
            return rest.count < count
        }
        skipSign()
        var hasDigits = skipDigits()
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            hasDigits = skipDigits() || hasDigits
        }
        guard hasDigits else { return false }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            skipSign()
            guard skipDigits() else { return false }
        }
        return rest.isEmpty
    }
}
