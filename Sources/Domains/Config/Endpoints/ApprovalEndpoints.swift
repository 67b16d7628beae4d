internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacProposals

/// The calls about the approvals that releases need.
enum ApprovalEndpoints {
    /// Handles `GET /{environment}/approvals`: returns the policy of the environments file.
    static func show(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        _ = try context.caller(of: request, with: .configRead)
        try request.target.query.allow()
        try request.accepts("application/json")
        return .uncached(json(of: context.service.settings.approvals).serialized())
    }

    private static func json(of policy: ApprovalPolicy?) -> JSONValue {
        func number(_ value: Int) -> JSONValue { .number(JSONNumber(Int64(value))) }
        let limits = policy ?? ProposalSchedule.defaultPolicy
        let rules = policy?.rules.map { rule -> JSONValue in
            ["keys": .string(rule.keys.text), "required": number(rule.required)]
        }
        return [
            "required": number(policy?.required ?? 0), "rules": .array(rules ?? []),
            "exempt": .array(limits.exemptions.map(\.rawValue).sorted().map { .string($0) }),
            "expires_days": policy.map { number($0.expiryDays) } ?? .null, "late_minutes": number(limits.lateMinutes),
        ]
    }

    /// Handles `POST /{environment}/releases/{revision}/acknowledge`: records that the caller has seen a release that
    /// went around approvals.
    static func acknowledge(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        let caller = try context.caller(of: request, with: .configRead)
        try request.target.query.allow()
        let revision = try HistoryEndpoints.revision(captures)
        guard caller.reviewPerson != nil else {
            throw Problem(
                .ownerNeeded, "an acknowledgement needs a person: sign in, or use a token that has an owner")
        }
        try context.proposals(by: caller).acknowledge(revision, keys: caller.scopes.approvableKeys)
        return Response(status: 204, headers: [("Cache-Control", "no-store")])
    }
}
