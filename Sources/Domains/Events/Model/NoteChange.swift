internal import AlmanacJSON
internal import AlmanacNotesDomain
internal import TextMerge

/// An action on a note, as sent to the streams of the note's account.
struct NoteChange: Sendable {
    let noteID: String
    let revision: Int64
    /// The kind of the action, as stored in the history.
    let action: String
    let actionID: String?
    /// The texts before and after the action, if they changed and are short.
    let title: Edit?
    let body: Edit?
    /// The tags and the pin after the action; nil if unchanged.
    var tags: [String]?
    var isPinned: Bool?
    /// The revision of the texts that the deltas apply to; nil if there were none.
    let base: Int64?
    /// True if the action took the note out of the trash.
    let isRestored: Bool
    /// True if the note is in the trash and the action changed only the tags or the pin.
    var isDeleted = false
    /// True if the texts changed but are not all included.
    let omitsText: Bool

    struct Edit: Sendable {
        let old: String
        let new: String

        /// Returns nil if the action left the text unchanged. The old text is nil before the first text.
        init?(old: String?, new: String?) {
            guard let new else { return nil }
            self.old = old ?? ""
            self.new = new
        }
    }

    /// The maximum length of a text to compare, in bytes of UTF-8, and of an event's deltas, in bytes of JSON.
    static let maxTextBytes = 8192
    private static let maxDeltaBytes = 4096

    var message: Message {
        let type =
            switch action {
            case "createNote": "noteCreated"
            case "moveNote": "notesReordered"
            case "deleteNote", "purgeNote": "noteDeleted"
            default: "noteUpdated"
            }
        let deltas = deltas
        return Message(type) { writer in
            writer.member("id", noteID)
            writer.member("revision", revision)
            if let actionID { writer.member("action_id", actionID) }
            if isRestored { writer.member("restored", true) }
            if isDeleted { writer.member("deleted", true) }
            if action == "purgeNote" { writer.member("purged", true) }
            if let deltas {
                if let base { writer.member("base", base) }
                for (name, delta) in deltas { writer.member(name, delta) }
            }
            if let tags { writer.member("tags", tags) }
            if let isPinned { writer.member("pinned", isPinned) }
        }
    }

    /// The members with the deltas; nil if there are none or the deltas are too long.
    private var deltas: [(name: String, delta: Delta)]? {
        guard !omitsText, title != nil || body != nil else { return nil }
        let deltas = [("title", title), ("body", body)].compactMap { name, edit in
            edit.map { (name: name, delta: Delta.between($0.old, $0.new)) }
        }
        let bytes = JSONWriter.object { for (name, delta) in deltas { $0.member(name, delta) } }
        return bytes.count <= Self.maxDeltaBytes ? deltas : nil
    }
}
