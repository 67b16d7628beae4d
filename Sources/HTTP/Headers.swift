/// The header fields of a request.
public struct Headers: Sendable {
    private let fields: [(name: String, value: String)]

    /// - Parameter fields: names and values; names count without regard to case, and an underscore for a hyphen, as CGI
    ///   writes names (RFC 3875 §4.1.18).
    public init(_ fields: [(name: String, value: String)] = []) {
        self.fields = fields
    }

    /// The value of the first field of that name.
    public subscript(_ name: String) -> String? {
        fields.first { $0.name.isFieldName(name) }?.value
    }
}

extension String {
    /// Whether this is a field name as CGI or HTTP writes it.
    fileprivate func isFieldName(_ name: String) -> Bool {
        utf8.count == name.utf8.count
            && zip(utf8, name.utf8).allSatisfy { own, other in
                own == other || own.loweredASCII == other.loweredASCII
                    || own == UInt8(ascii: "_") && other == UInt8(ascii: "-")
            }
    }

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
}

extension StringProtocol {
    /// Without spaces and tabs at either end.
    var trimmed: SubSequence {
        var rest = self[...]
        while let first = rest.first, first == " " || first == "\t" { rest = rest.dropFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
        return rest
    }
}
