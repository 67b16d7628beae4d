internal import TextMerge

/// Title and body of a note, compared byte by byte.
public struct NoteText: Sendable {
    public var title: String
    public var body: String

    public init(title: String = "", body: String = "") {
        self.title = title
        self.body = body
    }
}

extension NoteText: Hashable {
    public static func == (left: NoteText, right: NoteText) -> Bool {
        left.title.isIdentical(to: right.title) && left.body.isIdentical(to: right.body)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in title.utf8 { hasher.combine(byte) }
        hasher.combine(0 as UInt8)
        for byte in body.utf8 { hasher.combine(byte) }
    }
}

extension NoteText {
    /// Two texts made from a third, with the changes of both.
    static func merged(base: NoteText, theirs: NoteText, mine: NoteText) -> NoteText {
        NoteText(
            title: merged(base.title, theirs.title, mine.title), body: merged(base.body, theirs.body, mine.body))
    }

    private static func merged(_ base: String, _ theirs: String, _ mine: String) -> String {
        if base.isIdentical(to: mine) { return theirs }
        if base.isIdentical(to: theirs) { return mine }
        return ThreeWay.merge(base: base, theirs: theirs, mine: mine).text
    }
}

extension String {
    /// Whether two texts have the same bytes; `==` is canonical equivalence.
    func isIdentical(to other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
