internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// The endpoints of API tokens, for administrators.
enum TokenEndpoints {
    /// `GET /{environment}/tokens`: all tokens ever created, oldest first, without their secrets.
    static func list(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        try context.tokens.recordUses()
        let records = try administrate(context, caller) { try $0.list() }
        return .uncached(JSONValue.array(records.map(\.json)).serialized())
    }

    /// `POST /{environment}/tokens`: creates a token, which only this response shows.
    static func create(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        let object = try body(request, context, "label", "scopes", "expires_at", "owner", "purpose")
        let label = try label(object)
        let scopes = try scopes(object)
        // An expiry is required, so that a token without an end is a deliberate null.
        guard let member = object["expires_at"] else {
            throw Problem(
                .invalidValue, "'expires_at' is missing; expected a time, or null for a token that never expires")
        }
        let expiresAt = try expiry(member, context)
        let owner = try object["owner"].flatMap { try Self.owner($0, of: caller, context) }
        let purpose = try object["purpose"].map { try Self.purpose($0) } ?? ""
        let token = APIToken(environment: context.settings.name.text)
        let record = try administrate(context, caller) {
            try $0.create(token, label: label, scopes: scopes, expiresAt: expiresAt, owner: owner, purpose: purpose)
        }
        return shown(token, record)
    }

    /// `PATCH /{environment}/tokens/{id}`: changes the label, the purpose and the owner of a token.
    static func change(_ request: Request, _ captures: Captures, _ context: IdentityContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        let object = try body(request, context, "label", "owner", "purpose")
        let label = try object["label"] == nil ? nil : label(object)
        let purpose = try object["purpose"].map { try Self.purpose($0) }
        let owner: TokenAdministration.OwnerChange =
            try object["owner"].map { member in
                .set(try Self.owner(member, of: caller, context))
            } ?? .keep
        let id = captures["id"]
        let record = try administrate(context, caller) {
            try $0.change(id: id, label: label, purpose: purpose, owner: owner)
        }
        guard let record else { throw tokenNotFound }
        return .uncached(record.json.serialized())
    }

    private static var tokenNotFound: Problem {
        Problem(.tokenNotFound, "there is no token with this id; GET tokens lists them")
    }

    /// `DELETE /{environment}/tokens/{id}`: revokes a token.
    static func revoke(_ request: Request, _ captures: Captures, _ context: IdentityContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        let id = captures["id"]
        guard let record = try administrate(context, caller, { try $0.revoke(id: id) }) else { throw tokenNotFound }
        return .uncached(record.json.serialized())
    }

    /// `POST /{environment}/tokens/{id}/rotate`: creates a replacement for a token, which stays valid for an overlap.
    static func rotate(_ request: Request, _ captures: Captures, _ context: IdentityContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        let object = try body(request, context, "overlap_seconds", "expires_at")
        guard let overlap = object["overlap_seconds"]?.numberValue?.int64, (0...maxOverlap).contains(overlap) else {
            throw Problem(.invalidValue, "'overlap_seconds' must be a whole number from 0 to \(maxOverlap)")
        }
        let expiresAt = try object["expires_at"].flatMap { try expiry($0, context) }
        let id = captures["id"]
        let token = APIToken(environment: context.settings.name.text)
        let record = try administrate(context, caller) {
            try $0.rotate(id: id, to: token, expiresAt: expiresAt, overlap: overlap)
        }
        guard let record else {
            throw Problem(.tokenNotFound, "there is no valid token with this id; GET tokens lists them")
        }
        return shown(token, record)
    }

    /// The maximum overlap, in seconds: 90 days.
    private static let maxOverlap: Int64 = 90 * 86_400

    /// Changes the tokens, then refreshes this worker's cache before the caller gets the response.
    private static func administrate<Result>(
        _ context: IdentityContext, _ caller: Caller, _ body: (TokenAdministration) throws -> Result
    ) throws -> Result {
        let result = try context.pool.withConnection { connection in
            do {
                return try body(
                    TokenAdministration(
                        connection, by: caller.author,
                        for: .only(
                            caller.person, scopes: caller.scopes,
                            needsApprovalToDisable: context.settings.needsApprovalToDisable)))
            } catch let failure as PeopleFailure {
                let kind: ProblemKind =
                    switch failure {
                    case .unknownOwner: .invalidValue
                    case .approvalScope: .scopeTooSmall
                    default: .otherOwner
                    }
                throw Problem(kind, "\(failure)")
            }
        }
        // The change is committed even if the refresh fails; the worker then refreshes later.
        try? context.tokens.refresh()
        return result
    }

    private static func shown(_ token: APIToken, _ record: TokenRecord) -> Response {
        var members = record.json.objectValue?.members ?? []
        members.append(("token", .string(token.text)))
        return .uncached(status: 201, JSONValue.object(JSONObject(members)).serialized())
    }

    private static func body(
        _ request: Request, _ context: IdentityContext, _ allowed: String...
    ) throws(Problem) -> JSONObject {
        try request.target.query.allow()
        try request.accepts("application/json")
        try request.contains("application/json")
        return try request.json(context.settings.limits.json).members(allowed)
    }

    private static func label(_ object: JSONObject) throws(Problem) -> String {
        guard let label = object["label"]?.stringValue, (1...100).contains(label.unicodeScalars.count),
            !label.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
        else {
            throw Problem(
                .invalidValue, "'label' must give the purpose of the token, in 1 to 100 characters on one line")
        }
        return label
    }

    private static func scopes(_ object: JSONObject) throws(Problem) -> [Scope] {
        let texts = object["scopes"]?.arrayValue ?? []
        let scopes = texts.compactMap { $0.stringValue.flatMap(Scope.init(rawValue:)) }
        guard (1...50).contains(texts.count), scopes.count == texts.count, Set(scopes).count == scopes.count else {
            throw Problem(.invalidValue, "'scopes' must be an array of different scopes; expected \(Scope.names)")
        }
        return scopes
    }

    /// Parses the owner of a token; nil for a service account.
    private static func owner(
        _ member: JSONValue, of caller: Caller, _ context: IdentityContext
    ) throws(Problem) -> VerifiedUser? {
        if member == .null { return nil }
        guard let object = try? member.members(["issuer", "subject"]), let issuer = object["issuer"]?.stringValue,
            let subject = object["subject"]?.stringValue
        else {
            throw Problem(
                .invalidValue, "'owner' must be null, or an object with 'issuer' and 'subject' of a person")
        }
        // Records the caller, who may be here for the first time.
        _ = context.person(of: caller)
        return VerifiedUser(issuer: issuer, subject: subject)
    }

    private static func purpose(_ member: JSONValue) throws(Problem) -> String {
        guard let purpose = member.stringValue, purpose.unicodeScalars.count <= 200,
            !purpose.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
        else { throw Problem(.invalidValue, "'purpose' must have up to 200 characters on one line") }
        return purpose
    }

    private static func expiry(_ member: JSONValue, _ context: IdentityContext) throws(Problem) -> Timestamp? {
        if member == .null { return nil }
        guard let time = member.stringValue.flatMap({ Timestamp($0) }), time > context.tokens.now else {
            throw Problem(.invalidValue, "'expires_at' must be null, or a future time such as 2030-01-31T00:00:00Z")
        }
        return time
    }
}
