internal import AlmanacJSON
internal import AlmanacNotesDomain
internal import TextMerge

/// An action on one of an account's notes, as the account's streams are sent it.
struct NoteChange: Sendable {
    let noteID: String
    let revision: Int64
    /// The kind of the action, as the history has it.
    let action: String
    let actionID: String?
    /// The texts that the action left behind, where it changed them and they are short.
    let title: Edit?
    let body: Edit?
    /// The tags and the pin that the action left behind; nil where it left them as they were.
    var tags: [String]?
    var isPinned: Bool?
    /// The revision of the texts that the deltas are against; nil where there were none.
    let base: Int64?
    /// The note was in the trash before and is not any more.
    let isRestored: Bool
    /// The note lies in the trash, where only its tags or its pin were changed.
    var isDeleted = false
    /// The texts were changed but are not all here.
    let isTextLeftOut: Bool

    /// A text before and after an action.
    struct Edit: Sendable {
        let old: String
        let new: String

        /// - Parameters:
        ///   - old: nil before there was one.
        ///   - new: nil where the action left the text as it was.
        init?(old: String?, new: String?) {
            guard let new else { return nil }
            self.old = old ?? ""
            self.new = new
        }
    }

    /// The longest text that is compared, in bytes of UTF-8, and the longest delta that an event holds, in bytes of
    /// JSON.
    static let longestText = 8192
    private static let longestDelta = 4096

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

    /// The members with the deltas; nil when there are none or they are too long.
    private var deltas: [(name: String, delta: Delta)]? {
        guard !isTextLeftOut, title != nil || body != nil else { return nil }
        let deltas = [("title", title), ("body", body)].compactMap { name, edit in
            edit.map { (name: name, delta: Delta.between($0.old, $0.new)) }
        }
        let bytes = JSONWriter.object { for (name, delta) in deltas { $0.member(name, delta) } }
        return bytes.count <= Self.longestDelta ? deltas : nil
    }
}
