internal import AlmanacHTTP
internal import TextMerge

/// How a client changes one text of a note.
enum TextEdit: Sendable {
    /// Replaces it.
    case whole(String)
    case delta(WrittenDelta)

    /// The base text that the edit itself spells out.
    var base: String? {
        if case .delta(let written) = self { written.base } else { nil }
    }

    /// The client's text, made of the base text that it edited.
    func mine(from base: String, member: String) throws(Problem) -> String {
        switch self {
        case .whole(let text): return text
        case .delta(let written):
            do {
                return try written.apply(to: base)
            } catch {
                throw Problem(.deltaMismatch, "'\(member)': \(error)")
            }
        }
    }
}

/// What becomes of one text when a client's edit meets what others did to it meanwhile.
struct MergedText {
    let text: String
    /// What the client's own text is missing; nil when nothing.
    let missing: Delta?

    /// - Parameters:
    ///   - base: the text that the client edited.
    ///   - current: the text that the server has.
    ///   - mine: the text that the client has.
    init(base: String, current: String, mine: String) {
        if base.isIdentical(to: current) {
            text = mine
            missing = nil
        } else {
            let merged = ThreeWay.merge(base: base, theirs: current, mine: mine)
            text = merged.text
            missing = merged.fromMine.isIdentity ? nil : merged.fromMine
        }
    }
}
