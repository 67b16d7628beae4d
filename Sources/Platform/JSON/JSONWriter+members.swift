/// Members of an object that has been begun.
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
        self.name(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }
}
