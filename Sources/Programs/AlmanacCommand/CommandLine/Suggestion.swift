/// Suggestions for unknown words.
enum Suggestion {
    /// Returns a question to append to a message; empty if no known word is similar.
    static func text(for word: String, among words: [String]) -> String {
        let near = words.map { (word: $0, distance: distance(word, $0)) }
            .filter { (1...max(1, min(word.count, $0.word.count) / 3)).contains($0.distance) }
            .min { $0.distance < $1.distance }
        return near.map { "; did you mean '\($0.word)'?" } ?? ""
    }

    /// Returns the number of letters to insert, delete, replace or swap with a neighbour (optimal string alignment).
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
