internal import AlmanacForms
internal import AlmanacHTTP

/// The calls that switch a flag off and on, each in one release.
enum FlagSwitchEndpoints {
    /// `POST /{environment}/flags/{key}/disable`: everybody gets the value that their app has for the case.
    static func disable(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        try set(.disabled, request, captures, context)
    }

    /// `POST /{environment}/flags/{key}/enable`: undoes it.
    static func enable(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        try set(.enabled, request, captures, context)
    }

    private static func set(
        _ state: FlagState, _ request: Request, _ captures: Captures, _ context: ConfigContext
    ) throws -> Response {
        var intent = try WriteEndpoints.intent(
            request, by: try context.writer(of: request), about: .entry(captures["key"]))
        try request.target.query.allow()
        // What else is wrong with a flag must not keep anybody from switching it off.
        intent.isLenient = true
        let key = try EntryKey.checked(captures["key"])
        return WriteEndpoints.answer(try context.service.writer.release(intent, .switchFlag(key, state)), context)
    }
}
