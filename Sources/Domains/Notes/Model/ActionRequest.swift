internal import AlmanacHTTP
internal import AlmanacJSON
internal import TextMerge

/// One element of a batch: an action, or what was sent in place of one.
enum ActionRequest: Sendable {
    case valid(Action)
    case refused(Problem, actionID: String?, noteID: String?)

    /// Reads `["updateNote", {"action_id": …, "id": …, …}]`, or the short form `["deleteNote", "n1"]`.
    ///
    /// - Parameter flaw: what had to be taken out of it, so that it is not what the client sent.
    init(_ value: JSONValue, flaw: MendedArray.Flaw? = nil) {
        var fields: ActionFields?
        do {
            guard let pair = value.arrayValue, pair.count == 2, let name = pair[0].stringValue else {
                throw Problem(.invalidValue, "expected an action such as [\"deleteNote\", {\"id\": \"n1\", …}]")
            }
            guard let kind = Action.Kind(rawValue: name) else {
                let known = Action.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(.invalidValue, "'\(name.prefix(64))' is no action; expected one of \(known)")
            }
            fields = ActionFields(pair[1], mayBeID: kind == .deleteNote)
            guard let fields else {
                throw Problem(.invalidValue, "'\(name)' needs an object with its members")
            }
            if let flaw { throw Problem(.invalidValue, "the action holds \(flaw), which cannot be stored") }
            self = .valid(try fields.action(kind))
        } catch let problem as Problem {
            self = .refused(problem, actionID: fields?.readableActionID, noteID: fields?.readableNoteID)
        } catch {
            self = .refused(Problem(.invalidValue, "the action cannot be read"), actionID: nil, noteID: nil)
        }
    }
}
