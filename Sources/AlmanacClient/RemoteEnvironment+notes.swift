internal import HTTPSClient
public import JSON

/// The calls for the user's own notes.
extension RemoteEnvironment {
    /// All of the user's notes in the order of their list, or those that a search finds.
    public func notes(matching words: String? = nil) throws(CallFailure) -> [JSONObject] {
        var notes: [JSONObject] = []
        var query = words.map { [("q", $0)] } ?? []
        while true {
            let page = try object(send("GET", ["notes"], query: query))
            let details = page["details"]?.objectValue
            for id in page["order"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
                guard let note = details?[id]?.objectValue else { continue }
                notes.append(JSONObject([("id", .string(id))] + note.members))
            }
            guard page["more"] == .some(true), let next = page["next"]?.stringValue else { return notes }
            query = [("next", next)]
        }
    }

    /// One note, with its text.
    public func note(_ id: String) throws(CallFailure) -> JSONObject {
        try object(send("GET", ["notes", id]))
    }
}
