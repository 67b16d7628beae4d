internal import AlmanacPOSIX

/// A note on its way between an account and files; what every form of an export is made of.
///
/// The page has the same in `notes/move`; the vectors of the tests hold both to it.
struct MovedNote: Sendable {
    var id = ""
    var title = ""
    var body = ""
    /// Each once, in the order of their bytes.
    var tags: [String] = []
    var isPinned = false
    var isInTrash = false
    /// In milliseconds since 1970; nil where nobody knows.
    var createdAt: Int64?
    var updatedAt: Int64?

    /// Whether two notes are the same apart from their ids and times, byte for byte.
    func isSame(as other: MovedNote) -> Bool {
        hasSameWords(as: other) && isPinned == other.isPinned && isInTrash == other.isInTrash
            && tags.elementsEqual(other.tags) { $0.hasSameBytes(as: $1) }
    }

    /// Whether the titles and the bodies are the same, byte for byte.
    func hasSameWords(as other: MovedNote) -> Bool {
        title.hasSameBytes(as: other.title) && body.hasSameBytes(as: other.body)
    }

    /// Tags as a note has them.
    static func sorted(_ tags: [String]) -> [String] {
        tags.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.reduce(into: []) { sorted, tag in
            if sorted.last.map({ $0.utf8.elementsEqual(tag.utf8) }) != true { sorted.append(tag) }
        }
    }
}

/// A file of an export: its path with slashes, relative and without `..`, and what is in it.
struct MovedFile {
    let path: String
    let bytes: [UInt8]
    /// That of its last change, in milliseconds since 1970; nil where it is not known.
    let time: Int64?

    init(_ path: String, _ bytes: [UInt8], time: Int64? = nil) {
        self.path = path
        self.bytes = bytes
        self.time = time
    }
}

/// Something that does not come in, or not as it is.
struct MoveRemark {
    let source: String
    let reason: Reason
    var detail = ""

    /// The raw values are those that the page has words for too.
    enum Reason: String {
        case resource
        case notANote = "not-a-note"
        case notText = "not-text"
        case frontMatter = "front-matter"
        case fields
        case empty
        case unfitText = "unfit-text"
        case longTitle = "title-too-long"
        case longBody = "body-too-long"
        case tag
        case tooManyTags = "too-many-tags"
        case tooManyNotes = "too-many-notes"
        case different, another
        case tooLarge = "too-large"
        case damaged = "zip-damaged"
        case badName = "zip-name"
        case encrypted = "zip-encrypted"
        case unknownMethod = "zip-method"
    }

    /// The reason, for people.
    var text: String {
        switch reason {
        case .resource: "left out: only notes come in, no pictures or other attachments"
        case .notANote: "left out: this is no note"
        case .notText: "left out: this is no UTF-8"
        case .frontMatter: "its front matter can't be read, so it stays in the text"
        case .fields: "these fields stay in its text, as notes don't have them here: \(detail)"
        case .empty: "left out: there is nothing in it, and it is in the trash"
        case .unfitText: "left out: a note cannot hold U+0000"
        case .longTitle: "left out: the title is longer than 1 KiB"
        case .longBody: "left out: the text is longer than 1 MiB"
        case .tag: "without the tag '\(detail)': a tag has 1 to 64 characters, and no control characters"
        case .tooManyTags: "without the tag '\(detail)': a note has 32 tags at most"
        case .tooManyNotes: "left out: an account has 10,000 notes at most"
        case .different: "left alone: there is such a note already, with another text, and it stays as it is"
        case .another: "there is a note from another file with this path, so this one becomes a note of its own"
        case .tooLarge: "left out: the file is larger than 64 MiB"
        case .damaged: "left out: the file is damaged in the archive"
        case .badName: "left out: its name leads out of the archive"
        case .encrypted: "left out: the file is encrypted; make an archive without a password"
        case .unknownMethod: "left out: the file is compressed in a way that can't be read here"
        }
    }
}

/// What is in an export.
struct FoundNotes {
    var notes: [(note: MovedNote, source: String)] = []
    var remarks: [MoveRemark] = []
}
