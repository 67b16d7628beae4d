public import AlmanacHTTP

/// Every notes call.
public enum NotesRoutes {
    public static let all: [Route<NotesContext>] = [
        Route("GET", "/{environment}/notes", ListEndpoints.notes),
        Route("POST", "/{environment}/notes", ActionEndpoints.batch),
        Route("GET", "/{environment}/notes/{id}", NoteEndpoints.note),
        Route("PUT", "/{environment}/notes/{id}", ActionEndpoints.put),
        Route("PATCH", "/{environment}/notes/{id}", ActionEndpoints.patch),
        Route("DELETE", "/{environment}/notes/{id}", ActionEndpoints.delete),
        Route("GET", "/{environment}/notes/{id}/history", NoteEndpoints.history),
        Route("POST", "/{environment}/notes/{id}/restore", ActionEndpoints.restore),
        Route("GET", "/{environment}/account", AccountEndpoints.export),
        Route("DELETE", "/{environment}/account", AccountEndpoints.erase),
    ]
}

extension Captures {
    /// The note that the path names; refused where the segment is no id.
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
