internal import AlmanacJSON
internal import AlmanacNotes
internal import AlmanacTimestamps

extension StoredNote {
    /// The note for programs.
    ///
    /// - Parameter isSynced: whether the server has answered, so that this is what it has too.
    func json(isSynced: Bool) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("id", .string(id)), ("title", .string(title)), ("body", .string(body)),
        ]
        if let position { members.append(("position", .string(position))) }
        if let revision { members.append(("revision", .number(JSONNumber(revision)))) }
        members.append(("created_at", .string("\(Timestamp(createdAt))")))
        members.append(("updated_at", .string("\(Timestamp(updatedAt))")))
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

    /// Where the note is, for people.
    var place: String {
        switch status {
        case .onThisDevice: "on this machine"
        case .onServer: "on the server"
        case .needsAttention: "refused"
        }
    }
}

extension [StoredNote] {
    /// A line for each note; where one is not on the server, a column says so.
    func table(_ style: OutputStyle) -> String {
        let tellsPlace = contains { $0.status != .onServer }
        let head = ["id", "changed"] + (tellsPlace ? ["where"] : []) + ["title"]
        let rows = map { note in
            [note.id, style.time("\(Timestamp(note.updatedAt))")] + (tellsPlace ? [note.place] : []) + [
                TextTable.line(note.title)
            ]
        }
        return TextTable.text(head, rows, style)
    }
}
