internal import AlmanacForms
internal import AlmanacHTTP

/// The calls that disable and enable a flag, each in one release.
enum FlagSwitchEndpoints {
    /// Handles `POST /{environment}/flags/{key}/disable`: makes every app use its own default value.
    static func disable(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        try set(.disabled, request, captures, context)
    }

    /// Handles `POST /{environment}/flags/{key}/enable`: makes apps use the flag's variants again.
    static func enable(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        try set(.enabled, request, captures, context)
    }

    private static func set(
        _ state: FlagState, _ request: Request, _ captures: Captures, _ context: ConfigContext
    ) throws -> Response {
        var intent = try WriteEndpoints.intent(
            request, by: try context.writer(of: request), about: .entry(captures["key"]))
        try request.target.query.allow()
        // Other faults of a flag must not prevent switching it off.
        intent.isLenient = true
        let key = try EntryKey.checked(captures["key"])
        return WriteEndpoints.answer(try context.service.writer.release(intent, .switchFlag(key, state)), context)
    }
}
