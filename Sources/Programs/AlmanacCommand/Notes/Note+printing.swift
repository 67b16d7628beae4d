internal import AlmanacJSON
internal import AlmanacNotes
internal import AlmanacTimestamps

extension StoredNote {
    /// Returns the note as JSON.
    ///
    /// - Parameter isSynced: true if the last sync succeeded, so that the server has the same note.
    func json(isSynced: Bool) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("id", .string(id)), ("title", .string(title)), ("body", .string(body)),
            ("tags", .array(tags.map(JSONValue.string))), ("pinned", .boolean(isPinned)),
        ]
        if let position { members.append(("position", .string(position))) }
        if let revision { members.append(("revision", .number(JSONNumber(revision)))) }
        members.append(("created_at", .string("\(Timestamp(createdAt))")))
        members.append(("edited_at", .string("\(Timestamp(editedAt))")))
        // The name of this time in version 1.0.0.
        members.append(("updated_at", .string("\(Timestamp(editedAt))")))
        if isInTrash { members.append(("in_trash", true)) }
        switch status {
        case .onThisDevice: members.append(("status", "device"))
        case .onServer: members.append(("status", "server"))
        case .needsAttention(let problem):
            members.append(("status", "refused"))
            members.append(("problem", ["type": .string(problem.type), "detail": .string(problem.detail)]))
        }
        members.append(("synced", .boolean(isSynced)))
        return .object(JSONObject(members))
    }

    /// The place of the note, for people.
    var place: String {
        switch status {
        case .onThisDevice: "on this machine"
        case .onServer: "on the server"
        case .needsAttention: "refused"
        }
    }
}

extension [StoredNote] {
    /// Returns a table with a line per note. A column is omitted if no note needs it: place, pin, tags.
    func table(_ style: OutputStyle) -> String {
        var columns: [(head: String, cell: (StoredNote) -> String)] = [
            ("id", \.id), ("edited", { style.time("\(Timestamp($0.editedAt))") }),
        ]
        if contains(where: { $0.status != .onServer }) { columns.append(("where", \.place)) }
        if contains(where: \.isPinned) { columns.append(("pinned", { $0.isPinned ? "yes" : "" })) }
        if contains(where: { !$0.tags.isEmpty }) {
            columns.append(("tags", { TextTable.line($0.tags.joined(separator: ", ")) }))
        }
        columns.append(("title", { TextTable.line($0.title) }))
        return TextTable.text(columns.map(\.head), map { note in columns.map { $0.cell(note) } }, style)
    }
}
