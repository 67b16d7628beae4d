/// A place where two texts differ: a range of the old text, and the range of the new text that replaces it.
///
/// Ranges count bytes of UTF-8, with bounds between characters; for sequences they count elements. In a list of
/// hunks, each hunk has at least one range that is not empty, and text common to both sides lies between two hunks.
struct Hunk: Equatable, Sendable {
    var old: Range<Int>
    var new: Range<Int>

    var count: Int { old.count + new.count }
}

/// A common stretch of two sequences.
struct Match {
    var old: Int
    var new: Int
    var length: Int
}

extension [Match] {
    /// Appends a match, or extends the last match if the two touch.
    mutating func join(_ match: Match) {
        guard match.length > 0 else { return }
        if let last, last.old + last.length == match.old, last.new + last.length == match.new {
            self[count - 1].length += match.length
        } else {
            append(match)
        }
    }

    /// Returns the hunks between the matches, in a box that contains all matches.
    func gaps(in box: Hunk) -> [Hunk] {
        var hunks: [Hunk] = []
        var old = box.old.lowerBound
        var new = box.new.lowerBound
        for match in self + [Match(old: box.old.upperBound, new: box.new.upperBound, length: 0)] {
            if old < match.old || new < match.new {
                hunks.append(Hunk(old: old..<match.old, new: new..<match.new))
            }
            old = match.old + match.length
            new = match.new + match.length
        }
        return hunks
    }
}
