extension FlagValue {
    /// The value as compact JSON with the original digits and order of members. NaN and infinity become `null`.
    public var json: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the JSON, cut after a number of bytes and marked with "…" if it is longer.
    func json(upTo most: Int) -> String {
        var bytes: [UInt8] = []
        write(to: &bytes, most: most + 1)
        return String(decoding: bytes, as: UTF8.self).shortened(to: most)
    }

    /// Returns the value if its JSON is short and not too deep, and otherwise a text with the beginning of the JSON.
    func shortened(to most: Int, depth deepest: Int) -> FlagValue {
        if case .string(let text) = self { return .string(text.shortened(to: most)) }
        var bytes: [UInt8] = []
        write(to: &bytes, most: most + 1)
        return bytes.count <= most && depth <= deepest ? self : .string(json(upTo: most))
    }

    /// - Parameter most: The number of bytes needed; the result may be a few bytes longer.
    private func write(to bytes: inout [UInt8], most: Int = .max) {
        guard bytes.count < most else { return }
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let number):
            bytes.append(contentsOf: (number.double.isFinite ? number.text : "null").utf8.prefix(most))
        case .string(let text): FlagValue.write(text, to: &bytes, most)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                guard bytes.count < most else { return }
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes, most: most)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                guard bytes.count < most else { return }
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                FlagValue.write(member.name, to: &bytes, most)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes, most: most)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8], _ most: Int) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8.prefix(most) {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: "\\u00".utf8)
                bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
