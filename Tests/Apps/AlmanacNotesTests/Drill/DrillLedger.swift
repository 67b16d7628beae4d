import AlmanacTestSupport

/// What devices have said that they do, to hold the notes against in the end.
struct DrillLedger {
    /// On disk before the device was killed.
    private(set) var kept: Set<String> = []
    /// Deleted by somebody, or perhaps: who was about to was killed.
    private(set) var deleted: Set<String> = []

    /// Takes in the output of a device that is no more. Its last line may be a part of one.
    mutating func read(_ output: [UInt8]) {
        var begun: [String] = []
        for line in output.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            switch words.first {
            case "insert": begun.append(String(words[1]))
            case "delete": deleted.insert(String(words[1]))
            case "done":
                kept.formUnion(begun)
                begun = []
            default: break
            }
        }
    }

    /// - Returns: what is wrong with the notes, nil when nothing is.
    func problem(with texts: [String]) -> String? {
        var found: [String: Int] = [:]
        for text in texts { for word in WordLedger.words(of: text) { found[word, default: 0] += 1 } }
        if let doubled = found.first(where: { $0.value > 1 && kept.contains($0.key) }) {
            return "the word \(doubled.key) is there \(doubled.value) times"
        }
        let lost = kept.subtracting(deleted).filter { found[$0] == nil }
        return lost.isEmpty ? nil : "lost: \(lost.sorted())"
    }
}
