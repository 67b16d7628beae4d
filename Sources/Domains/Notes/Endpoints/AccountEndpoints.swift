internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON

/// The endpoints of a user's whole account.
enum AccountEndpoints {
    /// `GET /{environment}/account`: streams the user's stored data, history included, from one snapshot.
    static func export(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.user(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        var response = Response { send in
            try context.service.read(for: user) { reader, cursor in
                try JSONWriter.export(user, cursor, reader) { bytes in try send(bytes) }
            }
        }
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }

    /// `DELETE /{environment}/account`: erases the account. A session needs a fresh sign-in.
    static func erase(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        let user = try context.freshUser(of: request)
        try request.target.query.allow()
        try context.service.erase(user)
        return Response(status: 204, headers: [("Cache-Control", "no-store")])
    }
}
