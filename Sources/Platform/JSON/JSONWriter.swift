/// Writes JSON piece by piece; commas come by themselves.
///
/// The caller sees to it that every member has a name and that what begins also ends.
public struct JSONWriter: Sendable {
    public private(set) var bytes: [UInt8] = []
    /// Whether a value ends here, so that the next one needs a comma.
    private var endsWithValue = false

    /// - Parameter capacity: how many bytes to make room for, when known.
    public init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
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

    /// Writes a value that is JSON already.
    public mutating func raw(_ text: [UInt8]) {
        separate()
        bytes += text
        endsWithValue = true
    }

    /// Writes a value that is JSON already.
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
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                name(member.name)
                self.value(member.value)
            }
            endObject()
        }
    }

    public mutating func beginObject() { begin("{") }

    /// Starts a member; its value comes next.
    public mutating func name(_ name: String) {
        separate()
        name.appendQuoted(to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        endsWithValue = false
    }

    public mutating func endObject() { end("}") }

    public mutating func beginArray() { begin("[") }

    public mutating func endArray() { end("]") }

    private mutating func begin(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        endsWithValue = false
    }

    private mutating func end(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        endsWithValue = true
    }

    private mutating func separate() {
        if endsWithValue { bytes.append(UInt8(ascii: ",")) }
    }
}
