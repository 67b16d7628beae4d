/// The repeated replacements of one side, where the same word replaces another again and again, as search and replace
/// does.
///
/// Such a replacement is one edit of every occurrence of the word. It gives way to a deletion of the passage by the
/// other side. A word that was replaced once stays, whatever was deleted around it, and so does a repeated one if only
/// that word was deleted. In real merges of two documents' histories, people decided so each time.
struct RepeatedReplacements {
    private let base: Text
    private let text: Text

    /// - Parameter text: The text of the side that replaced words.
    init(of base: Text, in text: Text) {
        self.base = base
        self.text = text
    }

    /// Returns the hunks of a side, with repeated replacements turned into deletions inside the other side's deletions.
    func givingWay(_ hunks: [Hunk], to others: [Hunk]) -> [Hunk] {
        base.withBytes { base in text.withBytes { text in givingWay(hunks, to: others, base, text) } }
    }

    private func givingWay(_ hunks: [Hunk], to others: [Hunk], _ base: Span<UInt8>, _ text: Span<UInt8>) -> [Hunk] {
        let replacements = hunks.indices.filter { base.isOneWord(hunks[$0].old) && text.isOneWord(hunks[$0].new) }
        guard replacements.count > 1 else { return hunks }
        var deleted: [Int] = []
        var next = 0
        // True if the next hunk of the other side removes more than one word; nil until computed.
        var isPassage: Bool?
        for index in replacements {
            let range = hunks[index].old
            while next < others.count, others[next].old.upperBound < range.upperBound {
                next += 1
                isPassage = nil
            }
            guard next < others.count, others[next].old.lowerBound <= range.lowerBound else { continue }
            isPassage = isPassage ?? (base.wordCount(in: others[next].old) > 1)
            if isPassage == true { deleted.append(index) }
        }
        guard !deleted.isEmpty else { return hunks }
        let repeated = repeated(replacements, of: hunks, base, text)
        var hunks = hunks
        for index in deleted where repeated[index] {
            hunks[index].new = hunks[index].new.upperBound..<hunks[index].new.upperBound
        }
        return hunks
    }

    /// Returns true for each hunk that is a replacement with the same words as another replacement.
    private func repeated(_ replacements: [Int], of hunks: [Hunk], _ base: Span<UInt8>, _ text: Span<UInt8>) -> [Bool] {
        var oldWords = TokenTable(capacity: replacements.count)
        var newWords = TokenTable(capacity: replacements.count)
        var first: [UInt64: Int] = [:]
        var isRepeated = Array(repeating: false, count: hunks.count)
        for index in replacements {
            let old = oldWords.insert(Range(narrow: hunks[index].old), of: base)
            let new = newWords.insert(Range(narrow: hunks[index].new), of: text)
            let key = UInt64(UInt32(bitPattern: old)) << 32 | UInt64(UInt32(bitPattern: new))
            if let first = first[key] {
                isRepeated[first] = true
                isRepeated[index] = true
            } else {
                first[key] = index
            }
        }
        return isRepeated
    }
}

extension Range<Int32> {
    fileprivate init(narrow range: Range<Int>) { self = Int32(range.lowerBound)..<Int32(range.upperBound) }
}
