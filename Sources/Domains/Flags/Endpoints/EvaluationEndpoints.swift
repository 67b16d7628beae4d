internal import AlmanacHTTP
internal import AlmanacRevisions

/// The calls of OFREP, the OpenFeature Remote Evaluation Protocol 0.3. Unknown query parameters, perhaps of a later
/// version, are ignored.
enum EvaluationEndpoints {
    /// Handles `POST /{environment}/ofrep/v1/evaluate/flags/{key}`: evaluates one flag for a context.
    static func one(_ request: Request, _ captures: Captures, _ context: FlagsContext) throws -> Response {
        try EvaluationCall(request, context).answer(captures["key"])
    }

    /// Handles `POST /{environment}/ofrep/v1/evaluate/flags`: evaluates all flags for a context.
    static func all(_ request: Request, _: Captures, _ context: FlagsContext) throws -> Response {
        let announced = AnnouncedConfig(request.target.query)
        let call = try EvaluationCall(request, context, minRevision: announced?.cursor)
        let known = try request.headers.entityTags("If-None-Match")
        return try call.answer(unless: announced.map(call.isAt) ?? true ? known : nil)
    }
}

/// The state of the config in an event that made a client fetch (OFREP, ADR 0008).
struct AnnouncedConfig {
    /// The announced cursor; nil for a tag that Almanac did not make.
    let cursor: Cursor?

    /// Returns nil if the client sends no announced state.
    init?(_ query: Query) {
        guard let text = query["flagConfigEtag"] else { return nil }
        // Clients send the tag of the event with or without quotes.
        if case .listed(let tags)? = EntityTags(text), tags.count == 1 {
            cursor = Cursor(tags[0])
        } else {
            cursor = Cursor(text)
        }
    }
}
