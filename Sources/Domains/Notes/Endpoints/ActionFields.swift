internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacRevisions
internal import AlmanacTimestamps
internal import TextMerge

/// The members of an action's object, or of the request body of an endpoint for one note.
struct ActionFields {
    let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    /// - Parameter mayBeID: accepts a string as the id of the note.
    init?(_ value: JSONValue, mayBeID: Bool) {
        if let object = value.objectValue {
            self.object = object
        } else if mayBeID, case .string = value {
            object = JSONObject([(name: "id", value: value)])
        } else {
            return nil
        }
    }

    /// The ids, if they are valid enough to be repeated to the client.
    var readableActionID: String? { object["action_id"]?.stringValue.flatMap { ActionID.isValid($0) ? $0 : nil } }
    var readableNoteID: String? { object["id"]?.stringValue.flatMap { NoteID.isValid($0) ? $0 : nil } }

    func action(_ kind: Action.Kind) throws(NotesRefusal) -> Action {
        let change: Action.Change
        var metadata = NoteMetadataEdit()
        var written: (Timestamp?, Timestamp?) = (nil, nil)
        switch kind {
        case .createNote:
            try allow("action_id", "id", "title", "body", "tags", "pinned", "after", "created_at", "updated_at")
            metadata = try wholeMetadata()
            written = (try time("created_at"), try time("updated_at"))
            change = .create(
                NoteText(title: try text("title") ?? "", body: try text("body") ?? ""), try place() ?? .last)
        case .updateNote:
            try allow("action_id", "id", "base", "title", "body", "tags", "pinned")
            metadata = try changedMetadata()
            change = try update(base: try revision("base").map { .revision($0) })
        case .moveNote:
            try allow("action_id", "id", "after")
            guard let place = try place() else {
                throw .invalidAction("'after' must be the id of a note, or null for the first place")
            }
            change = .move(place)
        case .deleteNote:
            try allow("action_id", "id", "base")
            change = .delete(base: try revision("base"))
        case .restoreNote:
            try allow("action_id", "id", "revision")
            change = .restore(revision: try revision("revision"))
        case .purgeNote:
            try allow("action_id", "id")
            change = .purge
        }
        return Action(id: try actionID(), noteID: try noteID(), change: change, metadata: metadata, written: written)
    }

    func update(base: Action.Base?) throws(NotesRefusal) -> Action.Change {
        let title = try edit("title")
        let body = try edit("body")
        guard title != nil || body != nil || object["tags"] != nil || object["pinned"] != nil else {
            throw .invalidAction("expected 'title' or 'body' with a delta, or 'tags', or 'pinned'")
        }
        return .update(base: base, title: title, body: body)
    }

    /// Reads the complete set of tags, and the pin.
    func wholeMetadata() throws(NotesRefusal) -> NoteMetadataEdit {
        var edit = NoteMetadataEdit()
        edit.isPinned = try pin()
        if let value = object["tags"] {
            let tags = try Self.tags(value, "'tags' must be an array of texts such as [\"work\", \"to do\"]")
            guard tags.count <= NoteTag.maxPerNote else { throw .tooManyTags(tags.count) }
            edit.tags = .whole(tags)
        }
        return edit
    }

    /// Reads the tags to add and to remove, and the pin.
    func changedMetadata() throws(NotesRefusal) -> NoteMetadataEdit {
        var edit = NoteMetadataEdit()
        edit.isPinned = try pin()
        guard let value = object["tags"] else { return edit }
        let expected = "'tags' must be an object such as {\"add\": [\"work\"], \"remove\": [\"to do\"]}"
        guard let change = value.objectValue, change.members.allSatisfy({ ["add", "remove"].contains($0.name) }) else {
            throw .invalidAction(expected)
        }
        let added = try change["add"].map { value throws(NotesRefusal) in try Self.tags(value, expected) } ?? []
        let removed = try change["remove"].map { value throws(NotesRefusal) in try Self.tags(value, expected) } ?? []
        guard added.count <= NoteTag.maxPerNote else { throw .tooManyTags(added.count) }
        for tag in added where removed.contains(where: { $0.hasSameBytes(as: tag) }) { throw .tagAddedAndRemoved(tag) }
        edit.tags = .change(adding: added, removing: removed)
        return edit
    }

    private func pin() throws(NotesRefusal) -> Bool? {
        guard let value = object["pinned"] else { return nil }
        guard let isPinned = value.boolValue else { throw .invalidAction("'pinned' must be true or false") }
        return isPinned
    }

    private static func tags(_ value: JSONValue, _ expected: String) throws(NotesRefusal) -> [String] {
        guard let elements = value.arrayValue else { throw .invalidAction(expected) }
        var tags: [String] = []
        for element in elements {
            guard let tag = element.stringValue else { throw .invalidAction(expected) }
            guard NoteTag.isValid(tag) else { throw .invalidTag }
            tags.append(tag)
        }
        return NoteTag.set(tags)
    }

    /// Throws if the object has other members, so that a misspelt member is not ignored.
    func allow(_ names: String...) throws(NotesRefusal) {
        guard
            let unknown = object.members.first(where: { member in !names.contains { member.name.hasSameBytes(as: $0) } }
            )
        else { return }
        throw .invalidAction("unknown member '\(unknown.name.prefix(64))'; expected \(names.joined(separator: ", "))")
    }

    func actionID() throws(NotesRefusal) -> String? {
        guard let value = object["action_id"] else { return nil }
        guard let text = value.stringValue, ActionID.isValid(text) else {
            throw .invalidAction("'action_id' must be a text of \(ActionID.form)")
        }
        return text
    }

    func noteID() throws(NotesRefusal) -> String {
        guard let text = object["id"]?.stringValue, NoteID.isValid(text) else {
            throw .invalidAction("'id' must be a text of the form \(NoteID.form)")
        }
        return text
    }

    func text(_ name: String) throws(NotesRefusal) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.stringValue else { throw .invalidAction("'\(name)' must be a text") }
        return text
    }

    private func time(_ name: String) throws(NotesRefusal) -> Timestamp? {
        guard let value = object[name] else { return nil }
        guard let time = value.stringValue.flatMap({ Timestamp($0) }) else {
            throw .invalidAction("'\(name)' must be a time such as 2020-10-17T18:43:19.000Z")
        }
        return time
    }

    /// Reads a revision: a number, or a string with its lineage such as `"43.k3f9"`.
    func revision(_ name: String) throws(NotesRefusal) -> Cursor? {
        guard let value = object[name] else { return nil }
        guard let cursor = (value.stringValue ?? value.numberValue?.text).flatMap({ Cursor($0) }) else {
            throw .invalidAction("'\(name)' must be a revision such as 43, or \"43.k3f9\" with its lineage")
        }
        return cursor
    }

    private func place() throws(NotesRefusal) -> Action.Place? {
        guard let value = object["after"] else { return nil }
        if value == .null { return .first }
        guard let id = value.stringValue, NoteID.isValid(id) else {
            throw .invalidAction("'after' must be the id of a note, or null for the first place")
        }
        return .after(id)
    }

    /// Reads a delta in any of its encodings; nil if the member is missing.
    private func edit(_ name: String) throws(NotesRefusal) -> TextEdit? {
        guard let value = object[name] else { return nil }
        do throws(DeltaFailure) {
            if let text = value.stringValue { return .delta(try EncodedDelta(text)) }
            if let elements = value.arrayValue { return .delta(try EncodedDelta(elements.map(DeltaElement.init))) }
        } catch {
            throw .invalidAction("'\(name)': \(error)")
        }
        throw .invalidAction("'\(name)' must be a delta such as [12, -3, \"new\", 40]")
    }
}

extension ActionRequest {
    /// Reads `{"action": "updateNote", "id": …, …}`, the pair `["updateNote", {"id": …, …}]`, or the short
    /// form `["deleteNote", "n1"]`.
    ///
    /// - Parameter flaw: the kind of character that was removed from the action, so that it differs from what was sent.
    init(_ value: JSONValue, flaw: SanitizedArray.Fault? = nil) {
        var fields: ActionFields?
        do throws(NotesRefusal) {
            guard let (name, members) = Self.parts(of: value) else {
                throw .invalidAction("expected an action such as {\"action\": \"deleteNote\", \"id\": \"n1\", …}")
            }
            guard let kind = Action.Kind(rawValue: name) else {
                let known = Action.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalidAction("'\(name.prefix(64))' is not a known action; expected one of \(known)")
            }
            fields = ActionFields(members, mayBeID: kind == .deleteNote)
            guard let fields else {
                throw .invalidAction("'\(name)' needs an object with its members")
            }
            if let flaw { throw .invalidAction("the action contains \(flaw), which cannot be stored") }
            self = .valid(try fields.action(kind))
        } catch {
            self = .refused(error, actionID: fields?.readableActionID, noteID: fields?.readableNoteID)
        }
    }

    /// Splits an action, an object or a pair, into its name and its members.
    private static func parts(of value: JSONValue) -> (name: String, members: JSONValue)? {
        if let pair = value.arrayValue {
            guard pair.count == 2, let name = pair[0].stringValue else { return nil }
            return (name, pair[1])
        }
        guard let object = value.objectValue, let name = object["action"]?.stringValue else { return nil }
        return (name, .object(JSONObject(object.members.filter { !$0.name.hasSameBytes(as: "action") })))
    }
}

extension Request {
    /// Reads the body as an array of actions; nil if it is not an array.
    ///
    /// An action with a character that can't be stored is refused by itself.
    func actions(_ limits: Limits) throws(Problem) -> [ActionRequest]? {
        let mended = SanitizedArray(try bytes(limit: limits.json.bytes))
        try contains("application/json")
        var json = limits.json
        json.elements = limits.batchActions
        let elements = try self.json(mended.bytes, json).arrayValue
        return elements?.enumerated().map { ActionRequest($1, flaw: mended.faults[$0]) }
    }

    /// Reads the body as the members of an action on the note in the path.
    func actionFields(_ limits: Limits) throws(Problem) -> ActionFields {
        try contains("application/json")
        guard let object = try json(limits.json).objectValue else {
            throw Problem(.invalidValue, "expected an object")
        }
        return ActionFields(object)
    }
}

extension DeltaElement {
    init(_ value: JSONValue) {
        switch value {
        case .number(let number): self = number.int64.map { .integer(Int($0)) } ?? .other
        case .string(let text): self = .text(text)
        case .array(let pair):
            guard pair.count == 2, let code = pair[0].numberValue?.int64, let text = pair[1].stringValue else {
                self = .other
                return
            }
            self = .pair(Int(code), text)
        default: self = .other
        }
    }
}
