internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacRevisions

/// The call `GET /{environment}/events/status`: the status of the environment's streams in the process that answers.
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
