/// The header fields of a request.
public struct Headers {
    private let find: (String) -> String?

    /// - Parameter find: finds the value of the first field of a name, whatever the case of its letters.
    public init(find: @escaping (String) -> String?) {
        self.find = find
    }

    public init(_ fields: [(name: String, value: String)] = []) {
        find = { name in fields.first { $0.name.caseInsensitivelyEquals(name) }?.value }
    }

    /// The value of the first field of that name.
    public subscript(_ name: String) -> String? { find(name) }
}

extension String {
    /// Whether two texts are the same byte for byte; `==` takes canonically equivalent ones for the same.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// Whether two field names or tokens are the same, ASCII letters compared without regard to case.
    func caseInsensitivelyEquals(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.loweredASCII == $1.loweredASCII }
    }
}

extension UInt8 {
    fileprivate var loweredASCII: UInt8 { (65...90).contains(self) ? self | 32 : self }

    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension StringProtocol {
    /// Without spaces and tabs at either end.
    var trimmed: Substring { Substring(Substring(self).utf8.trimmed) }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// Without spaces and tabs at either end.
    var trimmed: Self {
        var rest = self
        while let first = rest.first, first.isBlank { rest = rest.dropFirst() }
        while let last = rest.last, last.isBlank { rest = rest.dropLast() }
        return rest
    }
}
