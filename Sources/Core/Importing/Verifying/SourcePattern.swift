/// A regular expression for references, which is independent of the evaluator's patterns.
///
/// A match computes the set of places where each part of the pattern ends, from the set of places where the part
/// starts. No pattern takes exponential time in this way.
struct SourcePattern: Sendable {
    private let root: Node

    indirect enum Node: Sendable {
        case scalar(ScalarClass)
        case edge(Edge)
        case sequence([Node])
        case choice([Node])
        case repetition(Node, least: Int, most: Int?)
    }

    enum Edge: Sendable {
        case textStart, textEnd, lineStart, lineEnd, wordEdge, noWordEdge
        /// The end, or the place before a line feed at the end, as in Python and Perl.
        case lastLineEnd
    }

    /// Reads a pattern. Returns nil if its syntax is wrong or unknown here: backreferences, lookaround, names of
    /// groups.
    ///
    /// - Parameter isPython: True if `$` also matches before a line feed at the end.
    init?(_ text: String, isPython: Bool = false) {
        var reader = SourcePatternReader(text, isPython: isPython)
        guard let root = reader.pattern() else { return nil }
        self.root = root
    }

    /// Returns true if the pattern matches anywhere in a text.
    func finds(in text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return !ends(of: root, from: Array(0...scalars.count), in: scalars).isEmpty
    }

    /// Returns true if the pattern matches at the start of a text.
    func matches(startOf text: String) -> Bool { !ends(of: root, from: [0], in: Array(text.unicodeScalars)).isEmpty }

    /// Returns the places where a part ends, in order, for sorted places where it starts.
    private func ends(of node: Node, from starts: [Int], in text: [Unicode.Scalar]) -> [Int] {
        if starts.isEmpty { return [] }
        switch node {
        case .scalar(let scalars):
            return starts.filter { $0 < text.count && scalars.contains(text[$0]) }.map { $0 + 1 }
        case .edge(let edge): return starts.filter { Self.lies(edge, at: $0, in: text) }
        case .sequence(let parts): return parts.reduce(starts) { ends(of: $1, from: $0, in: text) }
        case .choice(let parts): return Set(parts.flatMap { ends(of: $0, from: starts, in: text) }).sorted()
        case .repetition(let part, let least, let most):
            var frontier = starts
            for _ in 0..<least where !frontier.isEmpty { frontier = ends(of: part, from: frontier, in: text) }
            var found = Set(frontier)
            var rounds = most.map { $0 - least } ?? .max
            while rounds > 0, !frontier.isEmpty {
                frontier = ends(of: part, from: frontier, in: text).filter { found.insert($0).inserted }
                rounds -= 1
            }
            return found.sorted()
        }
    }

    private static func lies(_ edge: Edge, at place: Int, in text: [Unicode.Scalar]) -> Bool {
        let isWordBefore = place > 0 && ScalarClass.word.contains(text[place - 1])
        let isWordAfter = place < text.count && ScalarClass.word.contains(text[place])
        switch edge {
        case .textStart: return place == 0
        case .textEnd: return place == text.count
        case .lineStart: return place == 0 || text[place - 1] == "\n"
        case .lineEnd: return place == text.count || text[place] == "\n"
        case .lastLineEnd: return place == text.count || (place == text.count - 1 && text[place] == "\n")
        case .wordEdge: return isWordBefore != isWordAfter
        case .noWordEdge: return isWordBefore == isWordAfter
        }
    }
}

/// A class of scalars in a pattern. Classes such as `\d` are about ASCII.
struct ScalarClass: Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    /// Classes inside brackets, such as the `\D` of `[\D,]`.
    var parts: [ScalarClass] = []
    var isInverted = false
    var ignoresCase = false

    static let word = ScalarClass(ranges: [48...57, 65...90, 95...95, 97...122])
    static let digit = ScalarClass(ranges: [48...57])
    static let space = ScalarClass(ranges: [9...13, 32...32])

    static func only(_ scalar: Unicode.Scalar) -> ScalarClass { ScalarClass(ranges: [scalar.value...scalar.value]) }

    var inverted: ScalarClass {
        var other = self
        other.isInverted.toggle()
        return other
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        var holds = holds(scalar)
        if ignoresCase, !holds {
            let forms = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
            holds = forms.contains { $0.unicodeScalars.count == 1 && $0.unicodeScalars.allSatisfy(self.holds) }
        }
        return holds != isInverted
    }

    private func holds(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) } || parts.contains { $0.contains(scalar) }
    }
}
