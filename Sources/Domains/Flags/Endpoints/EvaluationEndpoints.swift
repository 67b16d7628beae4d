internal import AlmanacHTTP
internal import AlmanacRevisions

/// The calls of OFREP, the OpenFeature Remote Evaluation Protocol 0.3. Parameters of the query that aren't known may
/// come from a later version, and mean nothing.
enum EvaluationEndpoints {
    /// `POST /{environment}/ofrep/v1/evaluate/flags/{key}`: what one flag is for somebody.
    static func one(_ request: Request, _ captures: Captures, _ context: FlagsContext) throws -> Response {
        try EvaluationCall(request, context).answer(captures["key"])
    }

    /// `POST /{environment}/ofrep/v1/evaluate/flags`: what every flag is for somebody, with a tag for the next time.
    static func all(_ request: Request, _: Captures, _ context: FlagsContext) throws -> Response {
        let announced = AnnouncedConfig(request.target.query)
        let call = try EvaluationCall(request, context, least: announced?.cursor)
        let known = try request.headers.entityTags("If-None-Match")
        return try call.answer(unless: announced.map(call.isAt) ?? true ? known : nil)
    }
}

/// The state of the config that a client heard of in an event, which makes it fetch (OFREP, ADR 0008).
struct AnnouncedConfig {
    /// Nil for what isn't of Almanac's making.
    let cursor: Cursor?

    /// Nil where the client tells of none.
    init?(_ query: Query) {
        guard let text = query["flagConfigEtag"] else { return nil }
        // Clients send it as the event had it, with or without its quotes.
        if case .listed(let tags)? = EntityTags(text), tags.count == 1 {
            cursor = Cursor(tags[0])
        } else {
            cursor = Cursor(text)
        }
    }
}
