/// What somebody may have meant who mistyped a word: `; did you mean 'staging'?`, or nothing.
struct Suggestion: CustomStringConvertible {
    let word: String?

    var description: String { word.map { "; did you mean '\($0)'?" } ?? "" }

    /// - Parameter candidates: the words that could have been meant.
    init(for word: String, among candidates: [String]) {
        let typed = Array(word.utf8)
        // More than a third of the letters wrong is another word.
        let limit = max(1, min(3, typed.count / 3))
        let near = Set(candidates).sorted().map { (word: $0, distance: Self.distance(typed, Array($0.utf8))) }
            .filter { (1...limit).contains($0.distance) }
        self.word = near.min { $0.distance < $1.distance }?.word
    }

    /// How many letters have to be added, taken away, replaced, or exchanged with their neighbour.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var rows = [Array(0...right.count)]
        for (i, letter) in left.enumerated() {
            var row = [i + 1]
            for (j, other) in right.enumerated() {
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
