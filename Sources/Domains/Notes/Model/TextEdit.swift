internal import AlmanacPOSIX
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
    func mine(from base: String, _ member: NoteText.Member) throws(NotesRefusal) -> String {
        switch self {
        case .whole(let text): return text
        case .delta(let written):
            do {
                return try written.apply(to: base)
            } catch {
                throw .deltaMismatch(member, error)
            }
        }
    }
}

/// One text in which a client's edit has met the edits that others made meanwhile.
struct MergedText {
    let text: String
    /// The changes of others that the client's own text is missing; nil when there are none.
    let missing: Delta?

    /// - Parameters:
    ///   - base: the text that the client edited.
    ///   - current: the text that the server has.
    ///   - mine: the text that the client has.
    init(base: String, current: String, mine: String) {
        if base.hasSameBytes(as: current) {
            text = mine
            missing = nil
        } else {
            let merged = ThreeWay.merge(base: base, theirs: current, mine: mine)
            text = merged.text
            missing = merged.fromMine.isIdentity ? nil : merged.fromMine
        }
    }
}
