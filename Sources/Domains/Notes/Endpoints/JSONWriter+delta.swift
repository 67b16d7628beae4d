public import AlmanacJSON
public import TextMerge

extension JSONWriter {
    /// Writes a member with the canonical form of a delta.
    public mutating func member(_ name: String, _ delta: Delta) {
        self.name(name)
        beginArray()
        for element in delta.elements {
            switch element {
            case .integer(let length): integer(Int64(length))
            case .text(let text): string(text)
            case .pair, .other: null()
            }
        }
        endArray()
    }
}
