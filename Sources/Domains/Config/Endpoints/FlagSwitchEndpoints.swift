internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacIdentity

/// The calls that disable and enable a flag, each in one release.
enum FlagSwitchEndpoints {
    /// Handles `POST /{environment}/flags/{key}/disable`: makes every app use its own default value. With the body of
    /// an alert, only if the alert is firing.
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
        let bearer = try state == .disabled ? bearerIntent(captures["key"], request, context) : nil
        var intent = try bearer ?? WriteEndpoints.intent(request, context, about: .entry(captures["key"]))
        try request.target.query.allow(intent.mayDisable ? [] : ProposalEndpoints.parameters)
        // Other faults of a flag must not prevent switching it off.
        intent.isLenient = true
        let key = try EntryKey.checked(captures["key"])
        if state == .disabled, let alert = try FlagAlert(request, context) {
            guard alert.isFiring else {
                let head = context.service.store.current.snapshot.head
                return WriteEndpoints.answer(ReleaseWriter.Outcome(head: head, entries: []), context)
            }
            intent.alert = alert.text
            if intent.message.isEmpty { intent.message = alert.text }
        }
        // The scope for switching off a flag does not include reading its rule.
        let mayRead = try context.caller(of: request)?.has(.configRead) == true
        return try WriteEndpoints.make(.switchFlag(key, state), request, intent, context) { outcome in
            WriteEndpoints.answer(
                mayRead ? outcome : ReleaseWriter.Outcome(head: outcome.head, entries: []), context)
        }
    }

    /// Returns the intent of a caller with the scope for switching off exactly this flag; nil for other callers, and
    /// for proposals.
    private static func bearerIntent(
        _ key: String, _ request: Request, _ context: ConfigContext
    ) throws(Problem) -> ReleaseWriter.Intent? {
        guard let caller = try context.caller(of: request), caller.scopes.contains(.flagDisable(key)),
            let pattern = KeyPattern(key), try !request.target.query.boolean("propose")
        else { return nil }
        var intent = try WriteEndpoints.intent(request, by: caller, keys: .some([pattern]), about: .entry(key))
        intent.mayDisable = true
        return intent
    }
}
