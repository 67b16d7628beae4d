internal import AlmanacHTTP
public import AlmanacJSON
public import TextMerge

extension JSONWriter {
    /// The members of a note but its id, inside an object that has been begun.
    mutating func members(of note: Note) {
        member("title", note.text.title)
        member("body", note.text.body)
        member("position", note.position)
        member("revision", note.revision)
        member("created_at", "\(note.createdAt)")
        member("updated_at", "\(note.updatedAt)")
        if let deletedAt = note.deletedAt { member("deleted_at", "\(deletedAt)") }
    }

    mutating func note(_ note: Note) {
        beginObject()
        member("id", note.id)
        members(of: note)
        endObject()
    }

    /// What became of one action.
    ///
    /// - Parameter showsNote: writes the whole note also where the client could make it of what it has.
    mutating func result(_ result: ActionResult, showsNote: Bool = false) {
        beginObject()
        member("status", result.status.rawValue)
        if let id = result.noteID { member("id", id) }
        if let id = result.actionID { member("action_id", id) }
        if let revision = (result.note ?? result.tombstone)?.revision { member("revision", revision) }
        if result.isRestored { member("restored", true) }
        if result.note?.isDeleted == true { member("deleted", true) }
        if let delta = result.missingTitle { member("title", delta) }
        if let delta = result.missingBody { member("body", delta) }
        if let first = result.first {
            name("first")
            beginObject()
            member("status", first.status)
            member("revision", first.revision)
            if first.isRestored { member("restored", true) }
            endObject()
        }
        if let note = result.note, showsNote || result.needsWholeNote {
            name("note")
            self.note(note)
        }
        if let refusal = result.refusal {
            name("problem")
            problem(refusal.problem)
        }
        endObject()
    }

    /// One action in a note's history. Texts that it left as they were are left out.
    mutating func revision(_ revision: NoteRevision) {
        beginObject()
        member("revision", revision.revision)
        member("action", revision.action)
        if let id = revision.actionID { member("action_id", id) }
        member("updated_at", "\(revision.recordedAt)")
        if let title = revision.title { member("title", title) }
        if let body = revision.body { member("body", body) }
        endObject()
    }

    /// Writes a member with the canonical form of a delta.
    public mutating func member(_ name: String, _ delta: Delta) {
        self.name(name)
        beginArray()
        for element in delta.elements {
            switch element {
            case .integer(let length): integer(Int64(length))
            case .text(let text): string(text)
            case .pair, .other: null()
            }
        }
        endArray()
    }

    /// A problem document (RFC 9457) inside another one.
    private mutating func problem(_ problem: Problem) {
        beginObject()
        member("type", "urn:almanac:problem:" + problem.kind.rawValue)
        member("title", problem.kind.title)
        member("status", Int64(problem.kind.status))
        member("detail", problem.detail)
        endObject()
    }
}
