internal import AlmanacForms
public import AlmanacHTTP
internal import AlmanacIdentity

/// The routes of notes and accounts.
public enum NotesRoutes {
    public static let all: [Route<NotesContext>] = [
        Route("GET", "/{environment}/notes", work: read, ListEndpoints.notes),
        Route("POST", "/{environment}/notes", work: change, ActionEndpoints.batch),
        Route("GET", "/{environment}/notes/{id}", work: read, NoteEndpoints.note),
        Route("PUT", "/{environment}/notes/{id}", work: change, ActionEndpoints.put),
        Route("PATCH", "/{environment}/notes/{id}", work: change, ActionEndpoints.patch),
        Route("DELETE", "/{environment}/notes/{id}", work: change, ActionEndpoints.delete),
        Route("GET", "/{environment}/notes/{id}/history", work: read, NoteEndpoints.history),
        Route("POST", "/{environment}/notes/{id}/restore", work: change, ActionEndpoints.restore),
        Route("GET", "/{environment}/account", work: read, AccountEndpoints.export),
        Route("DELETE", "/{environment}/account", work: change, AccountEndpoints.erase),
    ]

    // No request about notes can be answered from memory, so each one is a claim on the database.
    private static let read: Route<NotesContext>.Work = { Claim(.notes, for: try $1.user(of: $0).key) }
    private static let change: Route<NotesContext>.Work = {
        Claim(.notes, for: try $1.user(of: $0).key, isChange: true)
    }
}

extension Captures {
    /// The id of the note in the path. Throws if the path segment is no valid id.
    var noteID: String {
        get throws(Problem) {
            let text = self["id"]
            guard NoteID.isValid(text) else {
                throw Problem(.invalidKey, "expected the id of a note, of the form \(NoteID.form)")
            }
            return text
        }
    }
}
