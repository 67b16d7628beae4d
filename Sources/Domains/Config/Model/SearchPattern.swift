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
    /// For each character, as what bytes it may stand there.
    private let characters: [[[UInt8]]]
    /// For each byte, whether a place that holds the text can begin with it.
    private let begins: [Bool]

    init(_ text: String) {
        characters = text.unicodeScalars.map { scalar in
            let properties = scalar.properties
            var forms = [Array(String(scalar).utf8)]
            for other in [properties.lowercaseMapping, properties.uppercaseMapping]
            where other.unicodeScalars.count == 1 && !forms.contains(Array(other.utf8)) {
                forms.append(Array(other.utf8))
            }
            return forms
        }
        var begins = Array(repeating: false, count: 256)
        for form in characters[0] { begins[Int(form[0])] = true }
        self.begins = begins
    }

    func occurs(in text: Span<UInt8>, _ steps: inout Int) -> Bool {
        steps += text.count
        for start in text.indices where begins[Int(text[start])] {
            if matches(text, at: start, &steps) { return true }
        }
        return false
    }

    private func matches(_ text: Span<UInt8>, at start: Int, _ steps: inout Int) -> Bool {
        var place = start
        for (index, forms) in characters.enumerated() {
            steps += 1
            guard let form = forms.first(where: { stands($0, in: text, at: place) }) else { return false }
            place += form.count
            // PostgreSQL writes a space behind colons and commas; whoever looks for JSON needn't.
            guard form == [UInt8(ascii: ":")] || form == [UInt8(ascii: ",")], index + 1 < characters.count else {
                continue
            }
            if place < text.count, text[place] == UInt8(ascii: " "), characters[index + 1][0] != [UInt8(ascii: " ")] {
                place += 1
            }
        }
        return true
    }

    private func stands(_ form: [UInt8], in text: Span<UInt8>, at place: Int) -> Bool {
        guard place + form.count <= text.count else { return false }
        for offset in form.indices where text[place + offset] != form[offset] { return false }
        return true
    }
}
