/// A search for the changes between two texts: lines first, then words, with a bound on the work.
///
/// The differ first aligns lines that occur exactly once in both texts, and the equal lines around them. Where lines
/// differ, it aligns runs of words that occur once in both, and then the words between them by weight. A word is never
/// divided, so no letters of different words are matched. In a large place with few unique tokens, the differ searches
/// a shortest edit script; if that takes too many steps, the whole place is replaced. The bound counts steps, not time,
/// so the same texts yield the same differences on every machine.
///
/// Sources: Bram Cohen's patience diff, for unique tokens; Eugene W. Myers, "An O(ND) Difference Algorithm and Its
/// Variations" (Algorithmica 1, 1986), for large places without unique tokens; Neil Fraser, "Diff Strategies" (2006),
/// for the lossless clean-up of boundaries.
package struct Differ {
    let old: Text
    let new: Text
    /// The work so far: tokens read, pairs of tokens weighed, and steps of ``EditGraph``.
    package private(set) var steps = 0
    /// The lines that were moved to another place in the new text, in the order of the old lines.
    private(set) var moves: [Match] = []

    /// The step limit of each search method in small texts. Larger texts use ``stepsPerByteLimit``.
    package static let stepLimit = 8_000_000
    /// The step limit of each search method in large texts, per byte of both texts together.
    package static let stepsPerByteLimit = 8

    /// The largest number of word pairs that are weighed at once.
    private static let maxWeighedPairs = 32_768
    /// The size in bytes above which a place without unique lines is searched line by line before word by word.
    private static let minSearchedBytes = 8192

    init(_ old: Text, _ new: Text) {
        self.old = old
        self.new = new
    }

    package init(from old: String, to new: String) { self.init(Text(old), Text(new)) }

    /// Returns the places that differ; each consists of whole words.
    mutating func hunks() -> [Hunk] {
        let (old, new) = (old, new)
        return old.withBytes { oldBytes in
            new.withBytes { newBytes in hunks(oldBytes, newBytes) }
        }
    }

    private mutating func hunks(_ old: Span<UInt8>, _ new: Span<UInt8>) -> [Hunk] {
        let whole = Hunk(old: 0..<old.count, new: 0..<new.count)
        var box = old.trimmed(whole, against: new) { $0.isBreak($1) }
        guard !box.old.isEmpty || !box.new.isEmpty else { return [] }
        let hasLines = old.hasLineFeed(in: box.old) || new.hasLineFeed(in: box.new)
        if hasLines { box = old.wholeLines(box, against: new) }
        var matches: [Match] = []
        matches.join(Match(old: 0, new: 0, length: box.old.lowerBound))
        matches.join(Match(old: box.old.upperBound, new: box.new.upperBound, length: old.count - box.old.upperBound))
        if hasLines { matches = refine(matches, in: whole, cutting: .lines, old, new) }
        matches = refine(matches, in: whole, cutting: .words, old, new)
        var hunks = matches.gaps(in: whole)
        hunks.joinRewrittenLines(between: old, new)
        hunks.slide(between: old, new, moving: moves)
        return hunks
    }
}

extension Differ {
    /// Returns the matches together with further matches found between them.
    private mutating func refine(
        _ matches: [Match], in whole: Hunk, cutting cut: Cut, _ old: Span<UInt8>, _ new: Span<UInt8>
    ) -> [Match] {
        let places = matches.gaps(in: whole)
        var budget = StepBudget(max(Differ.stepLimit, Differ.stepsPerByteLimit * whole.count), places)
        var refined: [Match] = []
        var moved = MovedBytes(moves)
        var next = 0
        for place in places {
            while next < matches.count, matches[next].old < place.old.upperBound {
                refined.join(matches[next])
                next += 1
            }
            guard !place.old.isEmpty, !place.new.isEmpty else { continue }
            let tokens = Tokens(place, of: old, and: new, cutting: cut, without: &moved)
            let containsWord = tokens.containsWord(in: old)
            let found = compare(tokens, containsWord, cutting: cut, &budget, old)
            if cut == .lines {
                moves += tokens.moves(beside: found, containsWord).map { old.grown(tokens.bytes(of: $0), to: new) }
            }
            for match in found { refined.join(tokens.bytes(of: match)) }
        }
        for match in matches[next...] { refined.join(match) }
        steps += budget.steps
        return refined
    }

    private func compare(
        _ tokens: Tokens, _ containsWord: [Bool], cutting cut: Cut, _ budget: inout StepBudget, _ old: Span<UInt8>
    ) -> [Match] {
        var search = AnchorSearch(
            tokens, containsWord: containsWord, nearby: tokens.isNearby, lengths: cut == .lines ? [1] : [8, 4, 1],
            smallest: cut == .lines ? 0 : Differ.maxWeighedPairs)
        let anchored = search.solve()
        budget.steps += search.steps
        var occurrences = [(old: Int32, new: Int32)](repeating: (0, 0), count: tokens.count)
        var found: [Match] = []
        var next = 0
        for place in anchored.gaps(in: tokens.whole) {
            while next < anchored.count, anchored[next].old < place.old.upperBound {
                found.join(anchored[next])
                next += 1
            }
            // A single token on each side differs, or the anchor search would have matched it.
            guard !place.old.isEmpty, !place.new.isEmpty, place.count > 2 else { continue }
            let bytes = tokens.bytes(of: place)
            if cut == .words, budget.allows(weighing: place) {
                for match in WeightedAlignment(place, of: tokens, old, &occurrences).solve() { found.join(match) }
            } else if cut == .words || bytes.count > Differ.minSearchedBytes {
                for match in shortest(place, of: tokens, budget.share(of: bytes), &budget) { found.join(match) }
            }
        }
        for match in anchored[next...] { found.join(match) }
        return found
    }

    /// Returns the matches of a shortest edit script for a place, or none if the search exceeds the bound.
    ///
    /// Tokens that only one side has can't match. Leaving them out changes no shortest script, and saves most of the
    /// work where the sides share little.
    private func shortest(_ place: Hunk, of tokens: Tokens, _ bound: Int, _ budget: inout StepBudget) -> [Match] {
        var isInNew = Array(repeating: false, count: tokens.count)
        let new = place.new.filter { tokens.new[$0] >= 0 }
        for index in new { isInNew[Int(tokens.new[index])] = true }
        let old = place.old.filter { isInNew[Int(tokens.old[$0])] }
        var graph = EditGraph(old.map { tokens.old[$0] }, new.map { tokens.new[$0] }, bound: bound)
        let solution = graph.solve() ?? []
        budget.steps += graph.steps
        var found: [Match] = []
        for match in solution {
            for index in 0..<match.length {
                found.join(Match(old: old[match.old + index], new: new[match.new + index], length: 1))
            }
        }
        return found
    }

    private struct StepBudget {
        private let bound: Int
        private let size: Int
        private var weighed = 0
        var steps = 0

        init(_ bound: Int, _ places: [Hunk]) {
            self.bound = bound
            size = max(1, places.reduce(0) { $0 + $1.count })
        }

        /// Returns true if all pairs of tokens of a place may be weighed, and charges them.
        mutating func allows(weighing place: Hunk) -> Bool {
            let (pairs, overflows) = place.old.count.multipliedReportingOverflow(by: place.new.count)
            guard !overflows, pairs <= Differ.maxWeighedPairs, weighed + pairs <= bound else { return false }
            weighed += pairs
            steps += pairs
            return true
        }

        /// Returns the share of the bound for a place, in proportion to its size.
        func share(of place: Hunk) -> Int { Int(truncatingIfNeeded: Int64(bound) &* Int64(place.count) / Int64(size)) }
    }
}

extension Tokens {
    /// Returns true for each token with a word in it, by number. White space and punctuation alone occur everywhere.
    fileprivate func containsWord(in bytes: Span<UInt8>) -> [Bool] {
        var containsWord = Array(repeating: false, count: count)
        var next = 0
        // Numbers are assigned in the order of appearance.
        for (index, number) in old.enumerated() where Int(number) == next {
            containsWord[next] = bytes.hasWord(in: Int(oldStarts[index])..<Int(oldStarts[index + 1]))
            next += 1
        }
        return containsWord
    }
}

extension Span<UInt8> {
    /// Extends moved lines by the equal lines beside them outside the compared range, up to 4096 bytes on each side.
    fileprivate func grown(_ lines: Match, to other: Span<UInt8>) -> Match {
        let maxBytes = 4096
        let shift = lines.new - lines.old
        let linesEnd = lines.old + lines.length
        var (start, end) = (lines.old, linesEnd)
        while start > 0, start + shift > 0, lines.old - start < maxBytes, self[start - 1] == other[start + shift - 1] {
            start -= 1
        }
        while start < lines.old, !isLineStart(start) || !other.isLineStart(start + shift) { start += 1 }
        while end < count, end + shift < other.count, end - linesEnd < maxBytes, self[end] == other[end + shift] {
            end += 1
        }
        while end > linesEnd, !isLineStart(end) { end -= 1 }
        return Match(old: start, new: start + shift, length: end - start)
    }

    /// Returns a box that differs, widened to whole lines of both texts.
    fileprivate func wholeLines(_ box: Hunk, against other: Span<UInt8>) -> Hunk {
        var (start, otherStart) = (box.old.lowerBound, box.new.lowerBound)
        while !isLineStart(start) {
            start -= 1
            otherStart -= 1
        }
        var (end, otherEnd) = (box.old.upperBound, box.new.upperBound)
        while end < count, !isLineStart(end) || !other.isLineStart(otherEnd) {
            end += 1
            otherEnd += 1
        }
        return Hunk(old: start..<end, new: otherStart..<otherEnd)
    }
}
