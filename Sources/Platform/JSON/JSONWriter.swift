/// A writer of JSON that writes values in the order of the calls and adds the commas:
///
///     JSONWriter.object { writer in
///         writer.member("revision", 43)
///         writer.member("keys", array: { $0.string("a"); $0.string("b") })
///     }
///
/// Inside an object, call `member`. Inside an array, calls such as `string`, `integer` and `object` write elements.
public struct JSONWriter: Sendable {
    public private(set) var bytes: [UInt8] = []
    /// True if the text ends with a value, so that the next value needs a comma.
    private var endsWithValue = false

    public init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// Returns and removes the bytes written so far, to send a document in parts.
    public mutating func flush() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    public mutating func null() { raw("null") }

    public mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }

    public mutating func integer(_ value: Int64) { raw(String(value)) }

    public mutating func number(_ value: JSONNumber) { raw(value.text) }

    public mutating func string(_ value: String) {
        separate()
        value.appendQuoted(to: &bytes)
        endsWithValue = true
    }

    /// Writes a value that is already JSON.
    public mutating func raw(_ text: [UInt8]) {
        separate()
        bytes += text
        endsWithValue = true
    }

    public mutating func raw(_ text: String) {
        separate()
        bytes += text.utf8
        endsWithValue = true
    }

    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .boolean(let truth): boolean(truth)
        case .number(let number): self.number(number)
        case .string(let text): string(text)
        case .array(let elements): array { for element in elements { $0.value(element) } }
        case .object(let object):
            self.object { for member in object.members { $0.member(member.name, value: member.value) } }
        }
    }

    public mutating func object<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        beginObject()
        try body(&self)
        endObject()
    }

    public mutating func array<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        beginArray()
        try body(&self)
        endArray()
    }

    /// Returns the bytes of a document that is an object. The capacity is the expected number of bytes.
    public static func object<E: Error>(
        capacity: Int = 0, _ body: (inout JSONWriter) throws(E) -> Void
    ) throws(E) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        try writer.object(body)
        return writer.bytes
    }

    private mutating func beginObject() { begin("{") }

    /// Starts a member; its value comes next.
    private mutating func name(_ name: String) {
        separate()
        name.appendQuoted(to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        endsWithValue = false
    }

    private mutating func endObject() { end("}") }

    private mutating func beginArray() { begin("[") }

    private mutating func endArray() { end("]") }

    private mutating func begin(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        endsWithValue = false
    }

    private mutating func end(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        endsWithValue = true
    }

    private mutating func separate() { if endsWithValue { bytes.append(UInt8(ascii: ",")) } }
}

extension JSONWriter {
    public mutating func member(_ name: String, _ text: String) {
        self.name(name)
        string(text)
    }

    public mutating func member(_ name: String, _ number: Int64) {
        self.name(name)
        integer(number)
    }

    public mutating func member(_ name: String, _ truth: Bool) {
        self.name(name)
        boolean(truth)
    }

    public mutating func member(_ name: String, _ texts: [String]) {
        member(name, array: { for text in texts { $0.string(text) } })
    }

    public mutating func member(_ name: String, value: JSONValue) {
        self.name(name)
        self.value(value)
    }

    /// Writes a member whose value is already JSON.
    public mutating func member(_ name: String, raw text: String) {
        self.name(name)
        raw(text)
    }

    public mutating func member(_ name: String, raw text: [UInt8]) {
        self.name(name)
        raw(text)
    }

    public mutating func member<E: Error>(_ name: String, object body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        self.name(name)
        try object(body)
    }

    public mutating func member<E: Error>(_ name: String, array body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        self.name(name)
        try array(body)
    }
}
