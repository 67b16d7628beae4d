internal import AlmanacPOSIX
internal import TextMerge

/// The change that a client makes to one text of a note.
enum TextEdit: Sendable {
    /// Replaces the text.
    case whole(String)
    case delta(EncodedDelta)

    /// The base text, if the edit contains it.
    var base: String? { if case .delta(let written) = self { written.base } else { nil } }

    /// Applies the edit to its base text and returns the client's text.
    func applied(to base: String, _ member: NoteText.Member) throws(NotesRefusal) -> String {
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

/// A text after a client's edit was merged with the edits made since its base.
struct MergedText {
    let text: String
    /// The changes that the client's own text lacks; nil if there are none.
    let missing: Delta?

    /// - Parameters:
    ///   - base: the text that the client edited.
    ///   - current: the server's text.
    ///   - mine: the client's text.
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
