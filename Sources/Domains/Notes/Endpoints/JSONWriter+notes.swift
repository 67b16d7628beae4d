internal import AlmanacHTTP
public import AlmanacJSON
public import TextMerge

extension JSONWriter {
    /// The members of a note but its id, inside an object that has been begun.
    mutating func members(of note: Note) {
        member("title", note.text.title)
        member("body", note.text.body)
        members(of: note.filing)
        member("position", note.position)
        member("revision", note.revision)
        member("created_at", "\(note.createdAt)")
        member("updated_at", "\(note.writtenAt ?? note.updatedAt)")
        if let deletedAt = note.deletedAt { member("deleted_at", "\(deletedAt)") }
    }

    /// The tags and the pin, inside an object that has been begun.
    mutating func members(of filing: Filing) {
        member("tags", filing.tags.texts)
        member("pinned", filing.isPinned)
    }

    mutating func note(_ note: Note) {
        object { writer in
            writer.member("id", note.id)
            writer.members(of: note)
        }
    }

    /// The result of one action.
    ///
    /// - Parameters:
    ///   - showsNote: writes the whole note also where the client could make it of what it has.
    ///   - leavesOutTexts: writes no texts and no tags; the client reads the note, as of the revision.
    mutating func result(_ result: ActionResult, showsNote: Bool = false, leavesOutTexts: Bool = false) {
        object { writer in
            writer.member("status", result.status.rawValue)
            if let id = result.noteID { writer.member("id", id) }
            if let id = result.actionID { writer.member("action_id", id) }
            if let revision = (result.note ?? result.tombstone)?.revision { writer.member("revision", revision) }
            if result.isRestored { writer.member("restored", true) }
            if result.note?.isDeleted == true { writer.member("deleted", true) }
            if let delta = result.missingTitle, !leavesOutTexts { writer.member("title", delta) }
            if let delta = result.missingBody, !leavesOutTexts { writer.member("body", delta) }
            if let note = result.note, !leavesOutTexts { writer.members(of: note.filing) }
            if let first = result.first { writer.member("first", object: { $0.members(of: first) }) }
            if let note = result.note, !leavesOutTexts, showsNote || result.needsWholeNote {
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

    /// The members of an action's first result, inside an object that has been begun.
    mutating func members(of first: ActionResult.First) {
        member("status", first.status)
        member("revision", first.revision)
        if first.isRestored { member("restored", true) }
    }

    /// One action in a note's history. Texts that it left as they were are left out, and those that were thinned out.
    mutating func revision(_ revision: NoteRevision) {
        object { writer in
            writer.member("revision", revision.revision)
            writer.member("action", revision.action)
            if let id = revision.actionID { writer.member("action_id", id) }
            writer.member("updated_at", "\(revision.recordedAt)")
            if let title = revision.title { writer.member("title", title) }
            if let body = revision.body { writer.member("body", body) }
            if let filing = revision.filing { writer.members(of: filing) }
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

    /// The members of a problem document (RFC 9457) inside another one.
    private mutating func members(of problem: Problem) {
        member("type", "urn:almanac:problem:" + problem.kind.rawValue)
        member("title", problem.kind.title)
        member("status", Int64(problem.kind.status))
        member("detail", problem.detail)
    }
}
