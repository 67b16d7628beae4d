/// A log of every word that a writer inserted, and of the removed ones. Each word is unique.
///
/// The words look like natural words of several scripts, and each can be found again in a text: only white space and
/// punctuation end a word, and a Chinese word is a single rare character.
public struct WordLog: Sendable {
    /// The inserted words, in order.
    public private(set) var written: [String] = []
    /// The words that a writer deleted or rewrote.
    public private(set) var removed: Set<String> = []
    /// The words of each deleted note that a deleting client had seen.
    public private(set) var seenByDeleter: [String: Set<String>] = [:]
    private var all: Set<String> = []
    private let first: Int

    /// - Parameter first: the number of the first word. Logs whose number ranges do not overlap share no word.
    public init(first: Int = 0) { self.first = first }

    public mutating func newWord() -> String {
        let word = WordLog.word(first + written.count)
        written.append(word)
        all.insert(word)
        return word
    }

    /// Adopts a word of another log, so that it can be rewritten and deleted like the log's own words.
    public mutating func learn(_ word: String) { if WordLog.isWritten(word) { all.insert(word) } }

    /// Returns true if a word has the form of a log's words, and is not a filler.
    private static func isWritten(_ word: String) -> Bool {
        word.unicodeScalars.first!.value >= 0x20000
            || word.count >= 8 && !word.unicodeScalars.contains { $0.value > 0x2000 }
    }

    /// Records that all the log's words in a text are removed.
    public mutating func remove(_ text: String) {
        removed.formUnion(WordLog.words(of: text).filter(all.contains))
    }

    public mutating func deleteNote(_ id: String, reading text: String) {
        seenByDeleter[id, default: []].formUnion(WordLog.words(of: text).filter(all.contains))
    }

    public func has(_ word: String) -> Bool { all.contains(word) }

    /// Returns a word of a deleted note that no deleting client had seen, or nil if there is none.
    public func unseenWord(inDeleted id: String, _ text: String) -> String? {
        WordLog.words(of: text).first { has($0) && seenByDeleter[id]?.contains($0) != true }
    }

    /// Returns a description of the first word that the texts lack or contain too often, or nil if there is none.
    ///
    /// - Parameter writers: the number of writers. A word that one writer removed may survive in the text around it
    ///   that each of the other writers changed.
    public func problem(with texts: some Sequence<String>, writers: Int = 2) -> String? {
        var found: [String: Int] = [:]
        for text in texts { for word in WordLog.words(of: text) where has(word) { found[word, default: 0] += 1 } }
        for word in written {
            let count = found[word] ?? 0
            if removed.contains(word) ? count > writers - 1 : count != 1 {
                return "the word \(word) is there \(count) times"
            }
        }
        return nil
    }

    public static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        func end() {
            if !word.isEmpty { words.append(String(word)) }
            word = String.UnicodeScalarView()
        }
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace || borders.contains(scalar) {
                end()
            } else if isUnit(scalar) {
                end()
                words.append(String(scalar))
            } else {
                word.append(scalar)
            }
        }
        end()
        return words
    }

    /// Returns true if a character is a word of its own.
    static func isUnit(_ scalar: Unicode.Scalar) -> Bool {
        (0x3001...0x9FFF).contains(scalar.value) || scalar.value >= 0x20000
    }

    private static let borders = Set("[](){}<>\"'`,.;:!?*_/|=#-".unicodeScalars)

    /// The consonants and vowels of each script.
    private static let scripts: [(consonants: [Character], vowels: [Character])] = [
        ("bdfgklmnprstvz", "aeiou"), ("bdfgklmnprstvz", "áéíöü"), ("бвгдзклмнпрстх", "аеиоу"),
        ("βγδζκλμνπρστφχ", "αεηιο"),
        ("בגדזחטכלמנסעפצ", "אהויש"), ("bdfgklmnprstvz", "aeiou"),
    ].map { (Array($0), Array($1)) }

    /// Returns the word of a number: at least four syllables of a consonant and a vowel.
    public static func word(_ number: Int) -> String {
        if number % 7 == 6 { return String(Unicode.Scalar(0x20000 + UInt32(number / 7))!) }
        let (consonants, vowels) = scripts[number % 7]
        var word = ""
        var remaining = number / 7
        while word.count < 8 || remaining > 0 {
            word.append(consonants[remaining % 14])
            word.append(vowels[remaining / 14 % 5])
            remaining /= 70
        }
        // The last script has the same letters as the first, so it needs a mark.
        return number % 7 == 5 ? word + "x" : word
    }
}
