internal import AlmanacCryptography
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// `GET /{environment}/notes` in all its forms.
enum ListEndpoints {
    static func notes(_ request: Request, _: Captures, _ context: NotesContext) throws -> Response {
        let query = request.target.query
        try query.allow("limit", "next", "since", "newest", "form", "q")
        let user = try context.user(of: request)
        try request.accepts("application/json")
        let wish = try ListWish(query)
        let tags = try request.headers.entityTags("If-None-Match")
        return try context.service.read(for: user) { reader, newest, _ in
            let tag = "\(newest)-\(wish.mark)"
            if let account = reader?.account { try wish.check(account) } else { try wish.checkEmpty(newest) }
            if tags?.contain(tag) == true {
                return answer(Response(status: 304), newest, reader?.account, tag: tag)
            }
            let body = try reader.map { try wish.body(of: $0) } ?? wish.emptyBody(newest)
            return answer(Response(body: body), newest, reader?.account, tag: tag)
        }
    }

    private static func answer(
        _ response: Response, _ cursor: Cursor, _ account: Account?, tag: String
    ) -> Response {
        var response = response
        response.headers += NotesHeaders.fields(of: cursor, updatedAt: account?.updatedAt)
        response.headers += [("ETag", "\"\(tag)\""), ("Cache-Control", "private, no-cache"), ("Vary", "Authorization")]
        return response
    }
}
