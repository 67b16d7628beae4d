internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacRevisions
internal import TextMerge

/// The members of an action's object, or of the body of a call about one note.
struct ActionFields {
    let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    /// - Parameter mayBeID: takes a bare text as the id of the note.
    init?(_ value: JSONValue, mayBeID: Bool) {
        if let object = value.objectValue {
            self.object = object
        } else if mayBeID, case .string = value {
            object = JSONObject([(name: "id", value: value)])
        } else {
            return nil
        }
    }

    /// The ids as far as they can be repeated to the client.
    var readableActionID: String? { object["action_id"]?.stringValue.flatMap { ActionID.isValid($0) ? $0 : nil } }
    var readableNoteID: String? { object["id"]?.stringValue.flatMap { NoteID.isValid($0) ? $0 : nil } }

    func action(_ kind: Action.Kind) throws(Problem) -> Action {
        let change: Action.Change
        switch kind {
        case .createNote:
            try allow("action_id", "id", "title", "body", "after")
            change = .create(
                NoteText(title: try text("title") ?? "", body: try text("body") ?? ""), try place() ?? .last)
        case .updateNote:
            try allow("action_id", "id", "base", "title", "body")
            change = try update(base: try revision("base").map { .revision($0) })
        case .moveNote:
            try allow("action_id", "id", "after")
            guard let place = try place() else {
                throw Problem(.invalidValue, "'after' must be the id of a note, or null for the first place")
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
        return Action(id: try actionID(), noteID: try noteID(), change: change)
    }

    func update(base: Action.Base?) throws(Problem) -> Action.Change {
        let title = try edit("title")
        let body = try edit("body")
        guard title != nil || body != nil else {
            throw Problem(.invalidValue, "'title' or 'body' must be there, with a delta")
        }
        return .update(base: base, title: title, body: body)
    }

    /// Refuses members other than these, so that a misspelt one is not ignored.
    func allow(_ names: String...) throws(Problem) {
        guard
            let unknown = object.members.first(where: { member in
                !names.contains { $0.isIdentical(to: member.name) }
            })
        else { return }
        throw Problem(
            .invalidValue, "'\(unknown.name.prefix(64))' is not known here; expected \(names.joined(separator: ", "))")
    }

    func actionID() throws(Problem) -> String? {
        guard let value = object["action_id"] else { return nil }
        guard let text = value.stringValue, ActionID.isValid(text) else {
            throw Problem(.invalidValue, "'action_id' must be a text of \(ActionID.form)")
        }
        return text
    }

    func noteID() throws(Problem) -> String {
        guard let text = object["id"]?.stringValue, NoteID.isValid(text) else {
            throw Problem(.invalidValue, "'id' must be a text of the form \(NoteID.form)")
        }
        return text
    }

    func text(_ name: String) throws(Problem) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.stringValue else { throw Problem(.invalidValue, "'\(name)' must be a text") }
        return text
    }

    /// A revision as a number, or with its lineage as a text such as `"43.k3f9"`.
    func revision(_ name: String) throws(Problem) -> Cursor? {
        guard let value = object[name] else { return nil }
        guard let cursor = (value.stringValue ?? value.numberValue?.text).flatMap({ Cursor($0) }) else {
            throw Problem(.invalidValue, "'\(name)' must be a revision such as 43, or \"43.k3f9\" with its lineage")
        }
        return cursor
    }

    private func place() throws(Problem) -> Action.Place? {
        guard let value = object["after"] else { return nil }
        if value == .null { return .first }
        guard let id = value.stringValue, NoteID.isValid(id) else {
            throw Problem(.invalidValue, "'after' must be the id of a note, or null for the first place")
        }
        return .after(id)
    }

    /// A delta in any of its forms; nil when it is left out.
    private func edit(_ name: String) throws(Problem) -> TextEdit? {
        guard let value = object[name] else { return nil }
        do throws(DeltaFailure) {
            if let text = value.stringValue { return .delta(try WrittenDelta(text)) }
            if let elements = value.arrayValue { return .delta(try WrittenDelta(elements.map(DeltaElement.init))) }
        } catch {
            throw Problem(.invalidValue, "'\(name)': \(error)")
        }
        throw Problem(.invalidValue, "'\(name)' must be a delta such as [12, -3, \"new\", 40]")
    }
}

extension DeltaElement {
    init(_ value: JSONValue) {
        switch value {
        case .number(let number):
            self = number.int64.map { .integer(Int($0)) } ?? .other
        case .string(let text):
            self = .text(text)
        case .array(let pair):
            guard pair.count == 2, let code = pair[0].numberValue?.int64, let text = pair[1].stringValue else {
                self = .other
                return
            }
            self = .pair(Int(code), text)
        default:
            self = .other
        }
    }
}
