/// Somebody who writes into a text: sentences, lists, tables, the same fillers and common words again and again, in
/// several scripts, and among them words of a ledger.
public enum Writer {
    /// Common and short, as fillers are: where a longer phrase is typed again, what stands between two of them may look
    /// as if it had been moved.
    private static let phrases = [
        "the", "and", "of the", "a", "to", "it is", "todo", "milk", "call", "at 12:30", "don't", "ok,",
        "e\u{301}te\u{301}",
        "und", "и", "και", "של", "يا", "안녕", "👩‍👩‍👧", "👍🏽",
        "今天", "東で", "1.5 kg", "(again)",
    ]

    private static let starts = ["- ", "- [ ] ", "* ", "1. ", "# ", "| ", "> ", "    ", "", "", ""]

    /// A phrase with one to three words of the ledger.
    private static func phrase(_ ledger: inout WordLedger, _ random: inout some RandomNumberGenerator) -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let word = ledger.newWord()
            let marked = ["\(word)", "\(word)", "\(word)", "\(word),", "**\(word)**", "(\(word))", "\(word)."]
            let filler = Bool.random(using: &random) ? phrases.randomElement(using: &random)! + " " : ""
            return filler + marked.randomElement(using: &random)!
        }.joined(separator: " ")
    }

    /// A new text of some lines.
    public static func text(
        lines: Int, _ ledger: inout WordLedger, _ random: inout some RandomNumberGenerator
    ) -> String {
        (0..<lines).map { _ in
            let phrases = (0..<Int.random(in: 0...3, using: &random)).map { _ in phrase(&ledger, &random) }
            return starts.randomElement(using: &random)! + phrases.joined(separator: " ")
        }.joined(separator: "\n")
    }

    /// A text with some words or a line inserted.
    public static func insert(
        into text: String, _ ledger: inout WordLedger, _ random: inout some RandomNumberGenerator
    ) -> String {
        let scalars = Array(text.unicodeScalars)
        let phrase = phrase(&ledger, &random)
        let place = places(in: scalars).randomElement(using: &random)!
        let isLineStart = place == 0 || scalars[place - 1] == "\n"
        if isLineStart, Bool.random(using: &random) {
            let line = starts.randomElement(using: &random)! + phrase + "\n"
            return string(scalars[..<place]) + line + string(scalars[place...])
        }
        let before = place > 0 && !isOpen(scalars[place - 1]) ? " " : ""
        let after = place < scalars.count && !isOpen(scalars[place]) ? " " : ""
        return string(scalars[..<place]) + before + phrase + after + string(scalars[place...])
    }

    /// A text without some of its words, or without a line or more of them.
    public static func delete(
        from text: String, _ ledger: inout WordLedger, _ random: inout some RandomNumberGenerator
    ) -> String {
        let scalars = Array(text.unicodeScalars)
        // From the beginning of something to the beginning of something else, with the space between.
        let places = places(in: scalars).filter { $0 == 0 || isOpen(scalars[$0 - 1]) }
        guard let index = places.indices.randomElement(using: &random) else { return text }
        let end = places[min(places.count - 1, index + Int.random(in: 1...4, using: &random))]
        let range = places[index]..<(index == places.count - 1 ? scalars.count : end)
        ledger.remove(string(scalars[range]))
        return string(scalars[..<range.lowerBound]) + string(scalars[range.upperBound...])
    }

    /// A text with another word in place of one of the ledger's.
    public static func rewrite(
        in text: String, _ ledger: inout WordLedger, _ random: inout some RandomNumberGenerator
    ) -> String {
        let words = WordLedger.words(of: text).filter(ledger.has)
        guard let old = words.randomElement(using: &random) else { return text }
        ledger.remove(old)
        let new = ledger.newWord()
        var result = ""
        var word = ""
        for scalar in Array(text.unicodeScalars) + ["\n"] {
            let alone = WordLedger.words(of: String(scalar))
            if alone.isEmpty || WordLedger.isUnit(scalar) {
                result += word == old ? spaced(new, after: result) : word
                word = ""
                let isOld = String(scalar) == old
                result += isOld ? spaced(new, after: result) : String(scalar)
                if isOld, !WordLedger.isUnit(new.unicodeScalars.first!) { result += " " }
            } else {
                word.unicodeScalars.append(scalar)
            }
        }
        return String(result.unicodeScalars.dropLast())
    }

    /// A word with a space before it where it would go on with another one.
    private static func spaced(_ word: String, after text: String) -> String {
        guard let last = text.unicodeScalars.last, !isOpen(last), !WordLedger.words(of: String(last)).isEmpty,
            !WordLedger.isUnit(word.unicodeScalars.first!)
        else { return word }
        return " " + word
    }

    /// Where a writer may begin something: beside white space or a character that is a word of its own.
    private static func places(in scalars: [Unicode.Scalar]) -> [Int] {
        (0...scalars.count).filter { place in
            place == 0 || place == scalars.count || isOpen(scalars[place - 1]) || isOpen(scalars[place])
        }
    }

    private static func isOpen(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || WordLedger.isUnit(scalar)
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
