import AlmanacJSON
import AlmanacTestRandomness
import Testing

@Suite struct RandomValueTests {
    @Test func `random values read back, members in order and digits unchanged`() throws {
        var generator = Randomness()
        let note = generator.note
        for _ in 0..<TestDepth.runs(quick: 500, standard: 1000, long: 20_000) {
            let value = JSONValue.random(depth: 5, &generator)
            let bytes = value.serialized()
            let read = try JSONValue(parsing: bytes)
            #expect(read == value, "\(note)")
            #expect(read.serialized() == bytes, "\(note)")
        }
    }

    @Test func `damaged texts are read or refused, and what is read reads back`() throws {
        var generator = Randomness()
        let note = generator.note
        let alphabet = Array(#"[]{},:"\ eE+-.0123456789utrfalsn"#.utf8) + [0, 0x0A, 0x80, 0xC3, 0xA9, 0xED, 0xFF]
        for _ in 0..<TestDepth.runs(quick: 2000, standard: 5000, long: 200_000) {
            var bytes = JSONValue.random(depth: 3, &generator).serialized()
            for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
                let position = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[position] = alphabet.randomElement(using: &generator)!
                case 1: bytes.insert(alphabet.randomElement(using: &generator)!, at: position)
                default: bytes.remove(at: position)
                }
            }
            guard let value = try? JSONValue(parsing: bytes) else { continue }
            let written = value.serialized()
            #expect(try JSONValue(parsing: written).serialized() == written, "\(note): \(bytes)")
        }
    }
}

extension JSONValue {
    fileprivate static func random(depth: Int, _ generator: inout Randomness) -> JSONValue {
        switch Int.random(in: 0..<(depth == 0 ? 5 : 9), using: &generator) {
        case 0: return .null
        case 1: return .boolean(.random(using: &generator))
        case 2: return .number(JSONNumber(Int64.random(in: .min ... .max, using: &generator)))
        case 3: return (try? JSONValue(parsing: Array(randomReal(&generator).utf8))) ?? .null
        case 4: return .string(randomText(&generator))
        case 5, 6:
            let count = Int.random(in: 0...5, using: &generator)
            return .array((0..<count).map { _ in random(depth: depth - 1, &generator) })
        default:
            let count = Int.random(in: 0...12, using: &generator)
            return .object(
                JSONObject((0..<count).map { _ in (randomText(&generator), random(depth: depth - 1, &generator)) }))
        }
    }

    private static func randomReal(_ generator: inout Randomness) -> String {
        let whole = Int.random(in: -1000...1000, using: &generator)
        let fraction = String(repeating: "7", count: Int.random(in: 1...30, using: &generator))
        let exponent = Int.random(in: -300...300, using: &generator)
        return ["\(whole).\(fraction)", "\(whole)e\(exponent)", "\(whole).\(fraction)E\(exponent)"].randomElement(
            using: &generator)!
    }

    private static func randomText(_ generator: inout Randomness) -> String {
        let alphabet: [Unicode.Scalar] = [
            "a", "B", "0", "7", "-", "[", "{", "}", "]", ":", ",", "\"", "\\", "/", "\n", "\u{1}", "\u{7f}", "é", "e",
            "\u{301}", "€", "𝄞",
        ]
        let count = Int.random(in: 0...10, using: &generator)
        return String(String.UnicodeScalarView((0..<count).map { _ in alphabet.randomElement(using: &generator)! }))
    }
}
