/// A place where two texts differ: a range of the old one stands against a range of the new one.
///
/// Ranges count bytes of UTF-8 and begin and end between characters, or elements where sequences are compared. In a
/// list of hunks at least one of the ranges is not empty, and between two hunks there is text that both sides have.
struct Hunk: Equatable, Sendable {
    var old: Range<Int>
    var new: Range<Int>

    /// The length of both ranges together.
    var count: Int { old.count + new.count }
}

/// A stretch that two sequences have in common.
struct Match {
    var old: Int
    var new: Int
    var length: Int
}

extension [Match] {
    /// Adds a match at the end, joined to the last one where they touch.
    mutating func join(_ match: Match) {
        guard match.length > 0 else { return }
        if let last, last.old + last.length == match.old, last.new + last.length == match.new {
            self[count - 1].length += match.length
        } else {
            append(match)
        }
    }

    /// The hunks between the matches, in a box that holds all of them.
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
