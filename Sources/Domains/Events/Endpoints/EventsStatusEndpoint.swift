internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacRevisions

/// `GET /{environment}/events/status`: how the environment's streams are, as the process that answers sees it.
enum EventsStatusEndpoint {
    static func show(_ request: Request, _: Captures, _ context: EventsContext) throws -> Response {
        try context.mayReadStatus(request)
        try request.target.query.allow()
        try request.accepts("application/json")
        return .uncached(
            JSONWriter.object { writer in
                writer.members(ofProgram: AlmanacVersion.current)
                writer.member("streams", Int64(context.hub.count))
            })
    }
}
