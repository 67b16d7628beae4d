internal import AlmanacForms
internal import AlmanacPOSIX

/// A note being exported or imported.
///
/// The notes page has its own implementation in `notes/move`; the cases in `Tests/Web/moving` test both.
struct ExchangedNote: Sendable {
    var id = ""
    var title = ""
    var body = ""
    /// The tags, unique and sorted by bytes.
    var tags: [String] = []
    var isPinned = false
    var isInTrash = false
    /// The time of creation in milliseconds since 1970; nil if unknown.
    var createdAt: Int64?
    var updatedAt: Int64?

    /// Returns true if two notes are byte-identical apart from their ids and times.
    func isSame(as other: ExchangedNote) -> Bool {
        title.hasSameBytes(as: other.title) && body.hasSameBytes(as: other.body) && isPinned == other.isPinned
            && isInTrash == other.isInTrash && tags.elementsEqual(other.tags) { $0.hasSameBytes(as: $1) }
    }

    /// Returns tags sorted by bytes without duplicates.
    static func sorted(_ tags: [String]) -> [String] {
        tags.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.reduce(into: []) { sorted, tag in
            if sorted.last.map({ $0.utf8.elementsEqual(tag.utf8) }) != true { sorted.append(tag) }
        }
    }
}

/// A file of an export. The path is relative, with slashes and without `..`.
struct ExchangedFile {
    let path: String
    let bytes: [UInt8]
}

/// A remark on something that is not imported, or not unchanged.
struct ImportRemark {
    let source: String
    let reason: Reason
    var detail = ""

    /// The raw values are also used by the notes page.
    enum Reason: String {
        case notANote = "not-a-note"
        case notText = "not-text"
        case frontMatter = "front-matter"
        case empty
        case nulCharacter = "unfit-text"
        case longTitle = "title-too-long"
        case longBody = "body-too-long"
        case tag
        case tooManyTags = "too-many-tags"
        case tooManyNotes = "too-many-notes"
        case different
        case removedFile = "attachment-removed"
        case emptyFile = "attachment-empty"
        case fileAsIs = "file-as-is"
        case tooLarge = "too-large"
        case damaged = "zip-damaged"
        case badName = "zip-name"
        case encrypted = "zip-encrypted"
        case unknownMethod = "zip-method"
    }

    /// The message for people.
    var text: String {
        switch reason {
        case .notANote:
            "skipped: expected Markdown with front matter and an id; the notes page can import notes of other programs"
        case .notText: "skipped: the file is not UTF-8"
        case .frontMatter:
            "skipped: unexpected line '\(detail)'; expected front matter as 'almanac note export' writes it"
        case .empty: "skipped: the note is empty and in the trash"
        case .nulCharacter: "skipped: a note cannot contain U+0000"
        case .longTitle: "skipped: the title is longer than 1 KiB"
        case .longBody: "skipped: the text is longer than 1 MiB"
        case .tag: "imported without the tag '\(detail)': a tag must be \(NoteTag.form)"
        case .tooManyTags: "imported without the tag '\(detail)': a note has at most \(NoteTag.maxPerNote) tags"
        case .tooManyNotes: "skipped: an account has at most 10,000 notes"
        case .different: "skipped: a note with this id and a different text exists; it stays unchanged"
        case .removedFile: "skipped: this attachment was removed from the account, and its id is never used again"
        case .emptyFile: "skipped: the file is empty"
        case .fileAsIs: "imported with its location and camera data, if any: the picture is damaged"
        case .tooLarge: "skipped: the file is larger than \(detail.isEmpty ? "64" : detail) MiB"
        case .damaged: "skipped: the file is damaged in the archive"
        case .badName: "skipped: the file's path leads out of the archive"
        case .encrypted: "skipped: the file is encrypted; create an archive without a password"
        case .unknownMethod: "skipped: the file's compression method is not supported"
        }
    }
}

/// The notes in an export, and the remarks on reading it.
struct FoundNotes {
    var notes: [(note: ExchangedNote, source: String)] = []
    /// The paths of the files that a note names, by the ids of their attachments.
    var files: [(reference: AttachedFiles.Reference, source: String)] = []
    var remarks: [ImportRemark] = []
}
