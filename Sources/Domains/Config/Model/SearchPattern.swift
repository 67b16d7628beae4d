internal import AlmanacJSON

/// A text that is looked for in keys, descriptions and values.
///
/// Letters are the same in either case, as far as one letter has one other: `Ä` and `ä`, but not `ß` and `SS`.
struct SearchPattern {
    private let plain: Needle
    /// As it stands inside the strings of JSON; nil where that is no different.
    private let escaped: Needle?

    /// The most characters (Unicode scalars) of one.
    static let mostCharacters = 200

    /// Nil for a text that is empty or too long.
    init?(_ text: String) {
        guard !text.isEmpty, text.unicodeScalars.count <= Self.mostCharacters else { return nil }
        plain = Needle(text)
        let quoted = JSONValue.string(text).description.utf8.dropFirst().dropLast()
        escaped = quoted.elementsEqual(text.utf8) ? nil : Needle(String(decoding: Array(quoted), as: UTF8.self))
    }

    /// Whether a key, a description or the JSON text of a value holds the pattern.
    ///
    /// - Parameter steps: raised by the work that it took, in bytes compared.
    func occurs(key: String, description: String, value: [UInt8], _ steps: inout Int) -> Bool {
        if plain.occurs(in: Array(key.utf8).span, &steps) { return true }
        if !description.isEmpty, plain.occurs(in: Array(description.utf8).span, &steps) { return true }
        if plain.occurs(in: value.span, &steps) { return true }
        return escaped?.occurs(in: value.span, &steps) ?? false
    }
}

/// The bytes that one text may have in others.
private struct Needle {
    /// The UTF-8 of one character, its first byte the lowest.
    private struct Form: Equatable {
        let bytes: UInt32
        let mask: UInt32
        let count: Int

        init(_ scalar: Unicode.Scalar) {
            let utf8 = Array(String(scalar).utf8)
            bytes = utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
            count = utf8.count
            mask = UInt32.max >> (32 - 8 * UInt32(count))
        }
    }

    /// One character, as what bytes it may stand in a text.
    private struct Letter {
        /// In either case; alike where there are fewer.
        let forms: (Form, Form, Form)
        /// PostgreSQL writes a space behind colons and commas; whoever looks for JSON needn't.
        let skipsSpace: Bool
    }

    private let letters: [Letter]
    /// For each byte, whether a place that holds the text can begin with it.
    private let begins: [Bool]

    init(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        letters = scalars.indices.map { index in
            let scalar = scalars[index]
            func form(_ mapping: String) -> Form {
                let mapped = mapping.unicodeScalars
                return Form(mapped.count == 1 ? mapped.first! : scalar)
            }
            let properties = scalar.properties
            return Letter(
                forms: (Form(scalar), form(properties.lowercaseMapping), form(properties.uppercaseMapping)),
                skipsSpace: [":", ","].contains(scalar) && index + 1 < scalars.count && scalars[index + 1] != " ")
        }
        var begins = Array(repeating: false, count: 256)
        let first = letters[0].forms
        for form in [first.0, first.1, first.2] { begins[Int(form.bytes & 0xFF)] = true }
        self.begins = begins
    }

    func occurs(in text: Span<UInt8>, _ steps: inout Int) -> Bool {
        steps += text.count
        let begins = begins.span
        for start in text.indices where begins[Int(text[start])] {
            if matches(text, at: start, &steps) { return true }
        }
        return false
    }

    private func matches(_ text: Span<UInt8>, at start: Int, _ steps: inout Int) -> Bool {
        let letters = letters.span
        var place = start
        for index in letters.indices {
            steps += 1
            let letter = letters[index]
            let word = Self.word(in: text, at: place)
            if word & letter.forms.0.mask == letter.forms.0.bytes {
                place += letter.forms.0.count
            } else if word & letter.forms.1.mask == letter.forms.1.bytes {
                place += letter.forms.1.count
            } else if word & letter.forms.2.mask == letter.forms.2.bytes {
                place += letter.forms.2.count
            } else {
                return false
            }
            if letter.skipsSpace, place < text.count, text[place] == UInt8(ascii: " ") { place += 1 }
        }
        return true
    }

    /// As many of the next four bytes as a character has that begins there, the first of them the lowest; behind the
    /// end a byte that no text holds.
    private static func word(in text: Span<UInt8>, at place: Int) -> UInt32 {
        guard place < text.count else { return 0xFF }
        let first = UInt32(text[place])
        if first < 0x80 { return first }
        var word = first
        for offset in 1..<min(4, max(1, text.count - place)) { word |= UInt32(text[place + offset]) << (8 * offset) }
        return word
    }
}
