/// A simulated writer who edits a text of sentences, lists and tables, with repeated fillers in several scripts
/// between the words of a log.
public enum RandomWriter {
    /// Short, common fillers. If a longer phrase were repeated, the words between two copies could look moved.
    private static let phrases = [
        "the", "and", "of the", "a", "to", "it is", "todo", "milk", "call", "at 12:30", "don't", "ok,",
        "e\u{301}te\u{301}",
        "und", "и", "και", "של", "يا", "안녕", "👩‍👩‍👧", "👍🏽",
        "今天", "東で", "1.5 kg", "(again)",
    ]

    private static let starts = ["- ", "- [ ] ", "* ", "1. ", "# ", "| ", "> ", "    ", "", "", ""]

    /// Returns a phrase with one to three words of the log.
    private static func phrase(_ log: inout WordLog, _ random: inout some RandomNumberGenerator) -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let word = log.newWord()
            let marked = ["\(word)", "\(word)", "\(word)", "\(word),", "**\(word)**", "(\(word))", "\(word)."]
            let filler = Bool.random(using: &random) ? phrases.randomElement(using: &random)! + " " : ""
            return filler + marked.randomElement(using: &random)!
        }.joined(separator: " ")
    }

    public static func text(lines: Int, _ log: inout WordLog, _ random: inout some RandomNumberGenerator) -> String {
        (0..<lines).map { _ in
            let phrases = (0..<Int.random(in: 0...3, using: &random)).map { _ in phrase(&log, &random) }
            return starts.randomElement(using: &random)! + phrases.joined(separator: " ")
        }.joined(separator: "\n")
    }

    /// Returns a text with a phrase or a line inserted.
    public static func insert(
        into text: String, _ log: inout WordLog, _ random: inout some RandomNumberGenerator
    ) -> String {
        let scalars = Array(text.unicodeScalars)
        let phrase = phrase(&log, &random)
        let position = places(in: scalars).randomElement(using: &random)!
        let isLineStart = position == 0 || scalars[position - 1] == "\n"
        if isLineStart, Bool.random(using: &random) {
            let line = starts.randomElement(using: &random)! + phrase + "\n"
            return string(scalars[..<position]) + line + string(scalars[position...])
        }
        let before = position > 0 && !isOpen(scalars[position - 1]) ? " " : ""
        let after = position < scalars.count && !isOpen(scalars[position]) ? " " : ""
        return string(scalars[..<position]) + before + phrase + after + string(scalars[position...])
    }

    /// Returns a text without some of its words or lines.
    public static func delete(
        from text: String, _ log: inout WordLog, _ random: inout some RandomNumberGenerator
    ) -> String {
        let scalars = Array(text.unicodeScalars)
        // A range runs from the start of one word to the start of another, including the space between.
        let places = places(in: scalars).filter { $0 == 0 || isOpen(scalars[$0 - 1]) }
        guard let index = places.indices.randomElement(using: &random) else { return text }
        let end = places[min(places.count - 1, index + Int.random(in: 1...4, using: &random))]
        let range = places[index]..<(index == places.count - 1 ? scalars.count : end)
        log.remove(string(scalars[range]))
        return string(scalars[..<range.lowerBound]) + string(scalars[range.upperBound...])
    }

    /// Returns a text in which one of the log's words is replaced by a new one.
    public static func rewrite(
        in text: String, _ log: inout WordLog, _ random: inout some RandomNumberGenerator
    ) -> String {
        let words = WordLog.words(of: text).filter(log.has)
        guard let old = words.randomElement(using: &random) else { return text }
        log.remove(old)
        let new = log.newWord()
        var result = ""
        var word = ""
        for scalar in Array(text.unicodeScalars) + ["\n"] {
            let alone = WordLog.words(of: String(scalar))
            if alone.isEmpty || WordLog.isUnit(scalar) {
                result += word == old ? spaced(new, after: result) : word
                word = ""
                let isOld = String(scalar) == old
                result += isOld ? spaced(new, after: result) : String(scalar)
                if isOld, !WordLog.isUnit(new.unicodeScalars.first!) { result += " " }
            } else {
                word.unicodeScalars.append(scalar)
            }
        }
        return String(result.unicodeScalars.dropLast())
    }

    /// Returns a word, with a space before it if it would otherwise join the word before.
    private static func spaced(_ word: String, after text: String) -> String {
        guard let last = text.unicodeScalars.last, !isOpen(last), !WordLog.words(of: String(last)).isEmpty,
            !WordLog.isUnit(word.unicodeScalars.first!)
        else { return word }
        return " " + word
    }

    /// Returns the positions where a writer may insert: beside white space or a single-character word.
    private static func places(in scalars: [Unicode.Scalar]) -> [Int] {
        (0...scalars.count).filter { position in
            position == 0 || position == scalars.count || isOpen(scalars[position - 1]) || isOpen(scalars[position])
        }
    }

    private static func isOpen(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || WordLog.isUnit(scalar)
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
