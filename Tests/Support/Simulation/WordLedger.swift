/// Every word that somebody wrote and that stands nowhere else, and what became of it.
///
/// The words look like words, of several scripts, and can each be found again in a text: only white space and
/// punctuation end them, and in Chinese a word is one rare character.
public struct WordLedger: Sendable {
    /// All words that were written, in their order.
    public private(set) var written: [String] = []
    /// What somebody deleted or rewrote.
    public private(set) var removed: Set<String> = []
    /// The words of each note that somebody saw who then deleted the note.
    public private(set) var seenByDeleter: [String: Set<String>] = [:]
    private var all: Set<String> = []
    private let first: Int

    /// - Parameter first: the number of its first word; ledgers whose numbers don't meet have no word in common.
    public init(first: Int = 0) {
        self.first = first
    }

    public mutating func newWord() -> String {
        let word = WordLedger.word(first + written.count)
        written.append(word)
        all.insert(word)
        return word
    }

    /// Takes a word of somebody else for one of its own, to be rewritten and deleted like them.
    public mutating func learn(_ word: String) {
        if WordLedger.isWritten(word) { all.insert(word) }
    }

    /// Whether a word is one that a ledger writes, and no filler.
    private static func isWritten(_ word: String) -> Bool {
        word.unicodeScalars.first!.value >= 0x20000
            || word.count >= 8 && !word.unicodeScalars.contains { $0.value > 0x2000 }
    }

    /// Notes that all its words in a text are to go.
    public mutating func remove(_ text: String) {
        removed.formUnion(WordLedger.words(of: text).filter(all.contains))
    }

    public mutating func deleteNote(_ id: String, reading text: String) {
        seenByDeleter[id, default: []].formUnion(WordLedger.words(of: text).filter(all.contains))
    }

    /// Whether it is one of the ledger's own words.
    public func has(_ word: String) -> Bool { all.contains(word) }

    /// A word of a deleted note that nobody who deleted it had seen; nil when there is none.
    public func unseenWord(inDeleted id: String, _ text: String) -> String? {
        WordLedger.words(of: text).first { has($0) && seenByDeleter[id]?.contains($0) != true }
    }

    /// What is wrong with texts that should have each word once and whole that nobody removed; nil when nothing is.
    ///
    /// - Parameter writers: how many people wrote. What one removed may stay in what each of the others made of the
    ///   text around it.
    public func problem(with texts: some Sequence<String>, writers: Int = 2) -> String? {
        var found: [String: Int] = [:]
        for text in texts { for word in WordLedger.words(of: text) where has(word) { found[word, default: 0] += 1 } }
        for word in written {
            let count = found[word] ?? 0
            if removed.contains(word) ? count > writers - 1 : count != 1 {
                return "the word \(word) is there \(count) times"
            }
        }
        return nil
    }

    /// The words of a text, as a reader sees them.
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

    /// Whether a character is a word of its own.
    static func isUnit(_ scalar: Unicode.Scalar) -> Bool {
        (0x3001...0x9FFF).contains(scalar.value) || scalar.value >= 0x20000
    }

    private static let borders = Set("[](){}<>\"'`,.;:!?*_/|=#-".unicodeScalars)

    /// Consonants and vowels.
    private static let scripts: [(consonants: [Character], vowels: [Character])] = [
        ("bdfgklmnprstvz", "aeiou"), ("bdfgklmnprstvz", "áéíöü"), ("бвгдзклмнпрстх", "аеиоу"),
        ("βγδζκλμνπρστφχ", "αεηιο"),
        ("בגדזחטכלמנסעפצ", "אהויש"), ("bdfgklmnprstvz", "aeiou"),
    ].map { (Array($0), Array($1)) }

    /// The word of a number: at least four syllables of a consonant and a vowel.
    public static func word(_ number: Int) -> String {
        if number % 7 == 6 { return String(Unicode.Scalar(0x20000 + UInt32(number / 7))!) }
        let (consonants, vowels) = scripts[number % 7]
        var word = ""
        var rest = number / 7
        while word.count < 8 || rest > 0 {
            word.append(consonants[rest % 14])
            word.append(vowels[rest / 14 % 5])
            rest /= 70
        }
        // The last script has the letters of the first.
        return number % 7 == 5 ? word + "x" : word
    }
}
