/// A place where two texts differ: a range of the old one stands against a range of the new one.
///
/// Ranges count bytes of UTF-8 and begin and end between characters, unless said otherwise. At least one of the ranges is not empty. Between two hunks of a list there is text that both have.
package struct Hunk: Equatable, Sendable {
    package var old: Range<Int>
    package var new: Range<Int>

    package init(old: Range<Int>, new: Range<Int>) {
        self.old = old
        self.new = new
    }

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
