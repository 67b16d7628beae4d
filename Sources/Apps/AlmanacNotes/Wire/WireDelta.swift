internal import TextMerge

/// A delta in JSON: `[12, -3, "new", 40]`, or `[[0, "kept"], [1, "new"]]`.
struct WireDelta: Codable {
    let elements: [DeltaElement]

    init(_ elements: [DeltaElement]) {
        self.elements = elements
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var elements: [DeltaElement] = []
        while !container.isAtEnd {
            if let number = try? container.decode(Int.self) {
                elements.append(.integer(number))
            } else {
                elements.append(.text(try container.decode(String.self)))
            }
        }
        self.elements = elements
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in elements {
            switch element {
            case .integer(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .pair(let code, let text):
                var pair = container.nestedUnkeyedContainer()
                try pair.encode(code)
                try pair.encode(text)
            case .other: try container.encodeNil()
            }
        }
    }

    var delta: WrittenDelta {
        get throws(DeltaFailure) { try WrittenDelta(elements) }
    }
}
