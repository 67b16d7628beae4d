import AlmanacTestSupport

/// A write log of the devices' printed words, compared with the notes at the end.
struct DeviceWriteLog {
    /// The words that were on disk before the device was killed.
    private(set) var storedWords: Set<String> = []
    /// The words that a device has deleted, or was about to delete when it was killed.
    private(set) var deleted: Set<String> = []

    /// Reads the output of a killed device. The last line may be incomplete.
    mutating func read(_ output: [UInt8]) {
        var begun: [String] = []
        for line in output.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            switch words.first {
            case "insert": begun.append(String(words[1]))
            case "delete": deleted.insert(String(words[1]))
            case "done":
                storedWords.formUnion(begun)
                begun = []
            default: break
            }
        }
    }

    /// - Returns: a description of the first problem with the notes, or nil without a problem.
    func problem(with texts: [String]) -> String? {
        var found: [String: Int] = [:]
        for text in texts { for word in WordLog.words(of: text) { found[word, default: 0] += 1 } }
        if let doubled = found.first(where: { $0.value > 1 && storedWords.contains($0.key) }) {
            return "the word \(doubled.key) is there \(doubled.value) times"
        }
        let lost = storedWords.subtracting(deleted).filter { found[$0] == nil }
        return lost.isEmpty ? nil : "lost: \(lost.sorted())"
    }
}
