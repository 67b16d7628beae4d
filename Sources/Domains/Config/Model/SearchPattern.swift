internal import AlmanacJSON

/// A text to search for in keys, descriptions and values.
///
/// The search ignores case where one letter maps to one other letter: `Ä` matches `ä`, but `ß` does not match `SS`.
struct SearchPattern {
    private let plain: Needle
    /// The text as escaped inside JSON strings; nil if escaping changes nothing.
    private let escaped: Needle?

    /// The maximum length of a pattern, in Unicode scalars.
    static let maxScalars = 200

    /// Returns nil for a text that is empty or too long.
    init?(_ text: String) {
        guard !text.isEmpty, text.unicodeScalars.count <= Self.maxScalars else { return nil }
        plain = Needle(text)
        let quoted = JSONValue.string(text).description.utf8.dropFirst().dropLast()
        escaped = quoted.elementsEqual(text.utf8) ? nil : Needle(String(decoding: Array(quoted), as: UTF8.self))
    }

    /// Returns true if a key, a description or the JSON text of a value contains the pattern.
    ///
    /// - Parameter steps: Increased by the work done, in compared bytes.
    func occurs(key: String, description: String, value: [UInt8], _ steps: inout Int) -> Bool {
        if plain.occurs(in: Array(key.utf8).span, &steps) { return true }
        if !description.isEmpty, plain.occurs(in: Array(description.utf8).span, &steps) { return true }
        if plain.occurs(in: value.span, &steps) { return true }
        return escaped?.occurs(in: value.span, &steps) ?? false
    }
}

/// The byte sequences that match a text.
private struct Needle {
    /// The UTF-8 bytes of one character, with the first byte lowest.
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

    /// The byte sequences that match one character.
    private struct Letter {
        /// The character as it is, in lower case and in upper case, repeated if a case form does not exist.
        let forms: (Form, Form, Form)
        /// True if a space may follow, because PostgreSQL writes a space after colons and commas.
        let skipsSpace: Bool
    }

    private let letters: [Letter]
    /// True at the index of each byte that a match can begin with.
    private let canBegin: [Bool]

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
        var canBegin = Array(repeating: false, count: 256)
        let first = letters[0].forms
        for form in [first.0, first.1, first.2] { canBegin[Int(form.bytes & 0xFF)] = true }
        self.canBegin = canBegin
    }

    func occurs(in text: Span<UInt8>, _ steps: inout Int) -> Bool {
        steps += text.count
        let canBegin = canBegin.span
        for start in text.indices where canBegin[Int(text[start])] {
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

    /// Returns the bytes at a position for comparison with a form, the first byte lowest: one byte for ASCII, otherwise
    /// up to four. Past the end, returns a byte that UTF-8 never contains.
    private static func word(in text: Span<UInt8>, at place: Int) -> UInt32 {
        guard place < text.count else { return 0xFF }
        let first = UInt32(text[place])
        if first < 0x80 { return first }
        var word = first
        for offset in 1..<min(4, max(1, text.count - place)) { word |= UInt32(text[place + offset]) << (8 * offset) }
        return word
    }
}
