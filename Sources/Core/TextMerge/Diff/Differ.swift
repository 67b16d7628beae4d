/// Finds the differences of two texts, coarse first where they are large, with a bound on the work.
///
/// Small texts are compared character by character. Larger ones by lines first, then by characters inside each place
/// where lines differ. A place that is very large or takes too many steps is compared by words, and by characters
/// inside each place where words differ; what takes too many steps even so is replaced as a whole. The bound counts
/// steps, not time: the same texts give the same differences on every machine.
package struct Differ {
    private let old: Text
    private let new: Text
    private var matches: [Match] = []
    /// Diagonals visited and elements compared by ``EditGraph``.
    package private(set) var steps = 0

    /// Up to this length of both texts together, characters are compared at once.
    package static let smallLength = 2048
    /// Beyond this length of both ranges together, words are compared before characters.
    package static let largeLength = 32_768
    /// How many steps each of the four levels may take, if the texts are not large…
    package static let workBound = 8_000_000
    /// …and how many per byte of both texts together if they are.
    package static let workPerByte = 8

    init(_ old: Text, _ new: Text) {
        self.old = old
        self.new = new
    }

    package init(from old: String, to new: String) {
        self.init(Text(old), Text(new))
    }

    package mutating func delta() -> Delta {
        Delta(hunks(), from: old, to: new)
    }

    mutating func hunks() -> [Hunk] {
        let (old, new) = (old, new)
        return old.withBytes { oldBytes in
            new.withBytes { newBytes in hunks(oldBytes, newBytes) }
        }
    }

    private mutating func hunks(_ old: Span<UInt8>, _ new: Span<UInt8>) -> [Hunk] {
        let whole = Hunk(old: 0..<old.count, new: 0..<new.count)
        compare(whole, by: .lines, bound: max(Differ.workBound, Differ.workPerByte * whole.count), old, new)
        var hunks = matches.gaps(in: whole)
        hunks.slide(between: old, new)
        return hunks
    }
}

extension Differ {
    private enum Level {
        case lines
        case characters
        case words
        case charactersInWords
    }

    /// - Parameter bound: how many steps each level may take.
    private mutating func compare(
        _ untrimmed: Hunk, by level: Level, bound: Int, _ old: Span<UInt8>, _ new: Span<UInt8>
    ) {
        let box = joinPrefix(of: untrimmed, old, new)
        defer { joinSuffix(of: untrimmed, box) }
        guard !box.old.isEmpty, !box.new.isEmpty else { return }
        switch level {
        case .lines where box.count > Differ.smallLength:
            compareTokens(box, cutting: .lines, bound: bound, then: .characters, old, new)
        case .lines, .characters:
            if box.count > Differ.largeLength || !compareCharacters(box, bound: bound, old, new) {
                compare(box, by: .words, bound: bound, old, new)
            }
        case .words:
            compareTokens(box, cutting: .words, bound: bound, then: .charactersInWords, old, new)
        case .charactersInWords:
            _ = compareCharacters(box, bound: bound, old, new)
        }
    }

    /// Compares by tokens, then each place where they differ more finely.
    private mutating func compareTokens(
        _ box: Hunk, cutting cut: Cut, bound: Int, then level: Level, _ old: Span<UInt8>, _ new: Span<UInt8>
    ) {
        let tokens = Tokens(box, of: old, and: new, cutting: cut)
        var graph = EditGraph(tokens.old.numbers, tokens.new.numbers, bound: bound)
        let solution = graph.solve()
        steps += graph.steps
        guard let solution else { return }
        var kept: [Match] = []
        for match in solution {
            for index in 0..<match.length {
                let token = tokens.old.ranges[match.old + index].wide
                let start = Int(tokens.new.ranges[match.new + index].lowerBound)
                kept.join(Match(old: token.lowerBound, new: start, length: token.count))
            }
        }
        let places = kept.gaps(in: box)
        let size = places.reduce(0) { $0 + $1.count }
        var next = 0
        for place in places {
            while next < kept.count, kept[next].old < place.old.upperBound {
                matches.join(kept[next])
                next += 1
            }
            // Places share the bound in proportion to their size.
            compare(place, by: level, bound: bound * place.count / size, old, new)
        }
        for match in kept[next...] { matches.join(match) }
    }

    private mutating func compareCharacters(
        _ box: Hunk, bound: Int, _ old: Span<UInt8>, _ new: Span<UInt8>
    ) -> Bool {
        let oldScalars = Scalars(old, box.old)
        let newScalars = Scalars(new, box.new)
        var graph = EditGraph(oldScalars.values, newScalars.values, bound: bound)
        let solution = graph.solve()
        steps += graph.steps
        guard let solution else { return false }
        for match in solution {
            let start = oldScalars.offset(of: match.old)
            let length = oldScalars.offset(of: match.old + match.length) - start
            matches.join(Match(old: start, new: newScalars.offset(of: match.new), length: length))
        }
        return true
    }

    /// A box without what it begins and ends with on both sides; the beginning is kept at once.
    private mutating func joinPrefix(of box: Hunk, _ old: Span<UInt8>, _ new: Span<UInt8>) -> Hunk {
        let trimmed = old.trimmed(box, against: new)
        let length = trimmed.old.lowerBound - box.old.lowerBound
        matches.join(Match(old: box.old.lowerBound, new: box.new.lowerBound, length: length))
        return trimmed
    }

    private mutating func joinSuffix(of box: Hunk, _ trimmed: Hunk) {
        let length = box.old.upperBound - trimmed.old.upperBound
        matches.join(Match(old: trimmed.old.upperBound, new: trimmed.new.upperBound, length: length))
    }
}
