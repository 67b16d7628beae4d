internal import AlmanacForms
public import AlmanacHTTP
internal import AlmanacIdentity

/// The routes of notes and accounts.
public enum NotesRoutes {
    public static let all: [Route<NotesContext>] = [
        Route("GET", "/{environment}/notes", claim: read, ListEndpoints.notes),
        Route("POST", "/{environment}/notes", claim: change, ActionEndpoints.batch),
        Route("GET", "/{environment}/notes/{id}", claim: read, NoteEndpoints.note),
        Route("PUT", "/{environment}/notes/{id}", claim: change, ActionEndpoints.put),
        Route("PATCH", "/{environment}/notes/{id}", claim: change, ActionEndpoints.patch),
        Route("DELETE", "/{environment}/notes/{id}", claim: change, ActionEndpoints.delete),
        Route("GET", "/{environment}/notes/{id}/history", claim: read, NoteEndpoints.history),
        Route("POST", "/{environment}/notes/{id}/restore", claim: change, ActionEndpoints.restore),
        Route("GET", "/{environment}/attachments", claim: read, AttachmentEndpoints.list),
        Route("GET", "/{environment}/attachments/{id}", claim: bytes, AttachmentEndpoints.get),
        Route("PUT", "/{environment}/attachments/{id}", claim: change, AttachmentEndpoints.put),
        Route("PATCH", "/{environment}/attachments/{id}", claim: piece, AttachmentEndpoints.patch),
        Route("DELETE", "/{environment}/attachments/{id}", claim: change, AttachmentEndpoints.delete),
        Route("GET", "/{environment}/account", claim: read, AccountEndpoints.export),
        Route("DELETE", "/{environment}/account", claim: change, AccountEndpoints.erase),
    ]

    // No request about notes can be answered from memory, so each one is a claim on the database.
    private static let read: Route<NotesContext>.MakeClaim = { WorkClaim(.notes, for: try $1.user(of: $0).key) }
    private static let change: Route<NotesContext>.MakeClaim = {
        WorkClaim(.notes, for: try $1.user(of: $0).key, isChange: true)
    }
    // Bytes of attachments, which a bucket may delay, don't wait for texts, nor texts for bytes.
    private static let bytes: Route<NotesContext>.MakeClaim = { WorkClaim(.pieces, for: try $1.user(of: $0).key) }
    private static let piece: Route<NotesContext>.MakeClaim = {
        WorkClaim(.pieces, for: try $1.user(of: $0).key, isChange: true)
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
