/// The text of a JSON object whose members can be added and removed while all other bytes stay unchanged.
public struct JSONObjectText: Sendable {
    public private(set) var bytes: [UInt8]

    /// - Throws: ``JSONFailure`` for a text that is not an object with at least one member.
    public init(_ bytes: [UInt8]) throws(JSONFailure) {
        let object = try JSONValue(parsing: bytes).objectValue
        guard object?.isEmpty == false else {
            throw .syntax(line: 1, column: 1, message: "expected an object with members")
        }
        self.bytes = bytes
    }

    /// Appends a member, indented like the first one. The lines of the value after its first must already be indented.
    public mutating func append(_ name: String, _ value: String) {
        let places = places
        let indent = bytes[..<places[0].lowerBound].reversed().prefix { $0 == 32 || $0 == 9 }.reversed()
        let begin = bytes.prefix { $0 != UInt8(ascii: "{") }.count + 1
        let isOnLine = bytes[begin..<places[0].lowerBound].contains(10)
        let separator = isOnLine ? Array(",\n".utf8) + indent : Array(", ".utf8)
        let member = Array("\(JSONValue.string(name)): \(value)".utf8)
        bytes.insert(contentsOf: separator + member, at: places[places.count - 1].upperBound)
    }

    /// Removes a member if it exists. It must not be the only member.
    public mutating func remove(_ name: String) {
        let places = places
        guard let index = places.firstIndex(where: { self.name(at: $0.lowerBound) == name }) else { return }
        precondition(places.count > 1, "the only member of an object")
        if index + 1 < places.count {
            bytes.removeSubrange(places[index].lowerBound..<places[index + 1].lowerBound)
        } else {
            bytes.removeSubrange(places[index - 1].upperBound..<places[index].upperBound)
        }
    }

    private func name(at start: Int) -> String? {
        var scanner = TokenScanner(Array(bytes[start...]))
        guard case .string(let range) = scanner.next() else { return nil }
        return
            (try? JSONValue(parsing: Array(bytes[start...][(start + range.lowerBound)..<(start + range.upperBound)])))?
            .stringValue
    }

    /// The range of each member, from the opening quote of its name to the end of its value.
    private var places: [Range<Int>] {
        var places: [Range<Int>] = []
        var scanner = TokenScanner(bytes)
        var depth = 0
        var start: Int?
        func end(before position: Int) -> Int {
            var end = position
            while [32, 9, 10, 13].contains(bytes[end - 1]) { end -= 1 }
            return end
        }
        while let token = scanner.next() {
            switch token {
            case .opening: depth += 1
            case .closing:
                depth -= 1
                if depth == 0, let first = start { places.append(first..<end(before: scanner.position - 1)) }
            case .comma where depth == 1:
                if let first = start { places.append(first..<end(before: scanner.position - 1)) }
                start = nil
            case .string(let range) where depth == 1 && start == nil: start = range.lowerBound
            default: break
            }
        }
        return places
    }
}
