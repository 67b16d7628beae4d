/// The header fields of a response, in the order in which they came.
public struct HeaderFields: Sendable, ExpressibleByDictionaryLiteral {
    public var fields: [(name: String, value: String)]

    public init(_ fields: [(name: String, value: String)] = []) {
        self.fields = fields
    }

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// The values of every field of that name, in any case, joined by commas (RFC 9110 §5.3); nil when there is none.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        let values = fields.filter { $0.name.lowercased() == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
