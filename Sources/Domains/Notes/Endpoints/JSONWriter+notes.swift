internal import AlmanacHTTP
public import AlmanacJSON
public import TextMerge

extension JSONWriter {
    /// Writes the members of a note except its id into the open object.
    mutating func members(of note: Note) {
        member("title", note.text.title)
        member("body", note.text.body)
        members(of: note.metadata)
        member("position", note.position)
        member("revision", note.revision)
        member("created_at", "\(note.createdAt)")
        // An imported note has the time of its last edit elsewhere until its next change.
        member("updated_at", "\(note.revision == note.textRevision ? note.editedAt : note.updatedAt)")
        member("edited_at", "\(note.editedAt)")
        if let deletedAt = note.deletedAt { member("deleted_at", "\(deletedAt)") }
    }

    /// Writes the tags and the pin into the open object.
    mutating func members(of metadata: NoteMetadata) {
        member("tags", metadata.tags.texts)
        member("pinned", metadata.isPinned)
    }

    mutating func note(_ note: Note) {
        object { writer in
            writer.member("id", note.id)
            writer.members(of: note)
        }
    }

    /// Writes the result of one action.
    ///
    /// - Parameters:
    ///   - showsNote: writes the whole note even if the client could derive it from its own text.
    ///   - omitsTexts: writes no texts and no tags; the client reads the note at the revision.
    mutating func result(_ result: ActionResult, showsNote: Bool = false, omitsTexts: Bool = false) {
        object { writer in
            writer.member("status", result.status.rawValue)
            if let id = result.noteID { writer.member("id", id) }
            if let id = result.actionID { writer.member("action_id", id) }
            if let revision = (result.note ?? result.tombstone)?.revision { writer.member("revision", revision) }
            if result.isRestored { writer.member("restored", true) }
            if result.note?.isDeleted == true { writer.member("deleted", true) }
            if let delta = result.missingTitle, !omitsTexts { writer.member("title", delta) }
            if let delta = result.missingBody, !omitsTexts { writer.member("body", delta) }
            if let note = result.note, !omitsTexts { writer.members(of: note.metadata) }
            if let effect = result.originalEffect { writer.member("first", object: { $0.members(of: effect) }) }
            if let note = result.note, !omitsTexts, showsNote || result.needsWholeNote {
                writer.member(
                    "note",
                    object: { writer in
                        writer.member("id", note.id)
                        writer.members(of: note)
                    })
            }
            if let refusal = result.refusal { writer.member("problem", object: { $0.members(of: refusal.problem) }) }
        }
    }

    /// Writes the members of an action's first result into the open object.
    mutating func members(of effect: ActionResult.OriginalEffect) {
        member("status", effect.status)
        member("revision", effect.revision)
        if effect.isRestored { member("restored", true) }
    }

    /// Writes one action of a note's history. Unchanged and thinned-out texts are omitted.
    mutating func revision(_ revision: NoteRevision) {
        object { writer in
            writer.member("revision", revision.revision)
            writer.member("action", revision.action)
            if let id = revision.actionID { writer.member("action_id", id) }
            writer.member("updated_at", "\(revision.recordedAt)")
            if let title = revision.title { writer.member("title", title) }
            if let body = revision.body { writer.member("body", body) }
            if let metadata = revision.metadata { writer.members(of: metadata) }
            if revision.isThinned { writer.member("thinned", true) }
        }
    }

    /// Writes a member with the canonical form of a delta.
    public mutating func member(_ name: String, _ delta: Delta) {
        member(
            name,
            array: { writer in
                for element in delta.elements {
                    switch element {
                    case .integer(let length): writer.integer(Int64(length))
                    case .text(let text): writer.string(text)
                    case .pair, .other: writer.null()
                    }
                }
            })
    }

    /// Writes the members of a problem document (RFC 9457) into the open object.
    private mutating func members(of problem: Problem) {
        member("type", "urn:almanac:problem:" + problem.kind.rawValue)
        member("title", problem.kind.title)
        member("status", Int64(problem.kind.status))
        member("detail", problem.detail)
    }
}
