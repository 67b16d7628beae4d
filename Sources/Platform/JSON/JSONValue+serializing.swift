extension JSONValue {
    /// The value as compact JSON: members in their order, numbers with their digits, everything else in UTF-8.
    public func serialized() -> [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String { String(decoding: serialized(), as: UTF8.self) }
}
