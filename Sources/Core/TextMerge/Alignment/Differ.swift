/// Finds what was changed between two texts: lines first, then words, with a bound on the work.
///
/// Lines that both texts have exactly once are aligned, and the lines around them; where lines differ, runs of words
/// that both have once, and then the words between them by weight. A word is never taken apart, so no letters of one
/// are matched with those of another. Where a place is too large and too little in it is unique, a shortest script is
/// searched; what takes too many steps even so is replaced as a whole. The bound counts steps, not time: the same texts
/// give the same differences on every machine.
///
/// Sources: Bram Cohen's patience diff, for what is unique; Eugene W. Myers, "An O(ND) Difference Algorithm and Its
/// Variations" (Algorithmica 1, 1986), for large places without anything unique; Neil Fraser, "Diff Strategies" (2006),
/// for the lossless clean-up of boundaries.
package struct Differ {
    let old: Text
    let new: Text
    /// Tokens looked at, pairs of tokens weighed, and diagonals visited and elements compared by ``EditGraph``.
    package private(set) var steps = 0
    /// The lines that stand at another place in the new text, in the order of the old ones.
    private(set) var moves: [Match] = []

    /// How many steps each way of searching may take, if the texts are not large…
    package static let workBound = 8_000_000
    /// …and how many per byte of both texts together if they are.
    package static let workPerByte = 8

    /// Up to so many pairs of words are weighed at once.
    private static let smallPlace = 32_768
    /// Beyond so many bytes, a place without unique lines is searched line by line before words are compared.
    private static let largePlace = 8192

    init(_ old: Text, _ new: Text) {
        self.old = old
        self.new = new
    }

    package init(from old: String, to new: String) {
        self.init(Text(old), Text(new))
    }

    /// The places that differ, each of whole words.
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
    /// Matches, and what more matches between them.
    private mutating func refine(
        _ matches: [Match], in whole: Hunk, cutting cut: Cut, _ old: Span<UInt8>, _ new: Span<UInt8>
    ) -> [Match] {
        let places = matches.gaps(in: whole)
        var effort = Effort(max(Differ.workBound, Differ.workPerByte * whole.count), places)
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
            let isTelling = tokens.telling(in: old)
            let found = compare(tokens, isTelling, cutting: cut, &effort, old)
            if cut == .lines {
                moves += tokens.moves(beside: found, isTelling).map { old.grown(tokens.bytes(of: $0), to: new) }
            }
            for match in found { refined.join(tokens.bytes(of: match)) }
        }
        for match in matches[next...] { refined.join(match) }
        steps += effort.steps
        return refined
    }

    private func compare(
        _ tokens: Tokens, _ isTelling: [Bool], cutting cut: Cut, _ effort: inout Effort, _ old: Span<UInt8>
    ) -> [Match] {
        var search = AnchorSearch(
            tokens, telling: isTelling, nearby: tokens.isNearby, lengths: cut == .lines ? [1] : [8, 4, 1],
            smallest: cut == .lines ? 0 : Differ.smallPlace)
        let anchored = search.solve()
        effort.steps += search.steps
        var occurrences = [(old: Int32, new: Int32)](repeating: (0, 0), count: tokens.count)
        var found: [Match] = []
        var next = 0
        for place in anchored.gaps(in: tokens.whole) {
            while next < anchored.count, anchored[next].old < place.old.upperBound {
                found.join(anchored[next])
                next += 1
            }
            // One against one differs, or it would be matched.
            guard !place.old.isEmpty, !place.new.isEmpty, place.count > 2 else { continue }
            let bytes = tokens.bytes(of: place)
            if cut == .words, effort.allows(weighing: place) {
                for match in WeightedAlignment(place, of: tokens, old, &occurrences).solve() { found.join(match) }
            } else if cut == .words || bytes.count > Differ.largePlace {
                for match in shortest(place, of: tokens, effort.share(of: bytes), &effort) { found.join(match) }
            }
        }
        for match in anchored[next...] { found.join(match) }
        return found
    }

    /// What a shortest script keeps of a place, or nothing if it takes more steps than the bound to find one.
    ///
    /// Tokens that only one side has can't be part of any match; leaving them out changes no shortest script, and saves
    /// most of the work where little is shared.
    private func shortest(_ place: Hunk, of tokens: Tokens, _ bound: Int, _ effort: inout Effort) -> [Match] {
        var isInNew = Array(repeating: false, count: tokens.count)
        let new = place.new.filter { tokens.new[$0] >= 0 }
        for index in new { isInNew[Int(tokens.new[index])] = true }
        let old = place.old.filter { isInNew[Int(tokens.old[$0])] }
        var graph = EditGraph(old.map { tokens.old[$0] }, new.map { tokens.new[$0] }, bound: bound)
        let solution = graph.solve() ?? []
        effort.steps += graph.steps
        var found: [Match] = []
        for match in solution {
            for index in 0..<match.length {
                found.join(Match(old: old[match.old + index], new: new[match.new + index], length: 1))
            }
        }
        return found
    }

    /// How many steps were taken, and how many may be.
    private struct Effort {
        private let bound: Int
        private let size: Int
        private var weighed = 0
        var steps = 0

        init(_ bound: Int, _ places: [Hunk]) {
            self.bound = bound
            size = max(1, places.reduce(0) { $0 + $1.count })
        }

        /// Whether all pairs of tokens of a place may be weighed; counts them if so.
        mutating func allows(weighing place: Hunk) -> Bool {
            let (pairs, overflows) = place.old.count.multipliedReportingOverflow(by: place.new.count)
            guard !overflows, pairs <= Differ.smallPlace, weighed + pairs <= bound else { return false }
            weighed += pairs
            steps += pairs
            return true
        }

        /// Places share the bound in proportion to their size.
        func share(of place: Hunk) -> Int {
            Int(truncatingIfNeeded: Int64(bound) &* Int64(place.count) / Int64(size))
        }
    }
}

extension Tokens {
    /// Whether a token has a word in it, by number; white space and punctuation alone are anywhere.
    fileprivate func telling(in bytes: Span<UInt8>) -> [Bool] {
        var isTelling = Array(repeating: false, count: count)
        var next = 0
        // Numbers are in order of appearance.
        for (index, number) in old.enumerated() where Int(number) == next {
            isTelling[next] = bytes.hasWord(in: Int(oldStarts[index])..<Int(oldStarts[index + 1]))
            next += 1
        }
        return isTelling
    }
}

extension Span<UInt8> {
    /// Moved lines with the equal ones beside them that lie outside of what was compared, a few kilobytes of them.
    fileprivate func grown(_ lines: Match, to other: Span<UInt8>) -> Match {
        let most = 4096
        let shift = lines.new - lines.old
        let linesEnd = lines.old + lines.length
        var (start, end) = (lines.old, linesEnd)
        while start > 0, start + shift > 0, lines.old - start < most, self[start - 1] == other[start + shift - 1] {
            start -= 1
        }
        while start < lines.old, !isLineStart(start) || !other.isLineStart(start + shift) { start += 1 }
        while end < count, end + shift < other.count, end - linesEnd < most, self[end] == other[end + shift] {
            end += 1
        }
        while end > linesEnd, !isLineStart(end) { end -= 1 }
        return Match(old: start, new: start + shift, length: end - start)
    }

    /// A box that differs, widened to lines that are whole in both texts.
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
