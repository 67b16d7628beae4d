/// What somebody may have meant who wrote a word that is not known.
enum Suggestion {
    /// A question to be put behind a message; empty where no word is near.
    static func text(for word: String, among words: [String]) -> String {
        let near = words.map { (word: $0, distance: distance(word, $0)) }
            .filter { $0.distance <= max(1, min(word.count, $0.word.count) / 3) }
            .min { $0.distance < $1.distance }
        return near.map { "; did you mean '\($0.word)'?" } ?? ""
    }

    /// How many letters have to be added, taken out, exchanged or swapped with their neighbour (optimal string
    /// alignment).
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.utf8.prefix(64)), Array(right.utf8.prefix(64)))
        var before: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var next = [row + 1]
            for column in right.indices {
                var least = min(
                    last[column + 1] + 1, next[column] + 1, last[column] + (left[row] == right[column] ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, before[column - 1] + 1)
                }
                next.append(least)
            }
            (before, last) = (last, next)
        }
        return last[right.count]
    }
}
