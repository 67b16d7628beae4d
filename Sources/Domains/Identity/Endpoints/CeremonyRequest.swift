internal import AlmanacCryptography
internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps
internal import AlmanacWebAuthn

/// A request of the console's page for a ceremony, with the environments of the worker.
struct CeremonyRequest {
    let origin: ConsoleOrigin
    /// The counts of the worker, which all environments share.
    let signIns: SignInCounts
    let now: Timestamp
    fileprivate let object: JSONObject
    private let request: Request
    /// The environments, sorted by name.
    private let all: [IdentityContext]

    /// - Parameter allowed: The members of the body.
    init(_ request: Request, _ all: [IdentityContext], _ allowed: String...) throws(Problem) {
        guard try SessionEndpoints.ownPage(request) == .console else {
            throw Problem(.notFound, "passkeys work only at the console's host")
        }
        try request.target.query.allow()
        try request.accepts("application/json")
        try request.contains("application/json")
        origin = ConsoleOrigin("https://\(try request.host)")
        object = try request.json(Self.limits).members(allowed)
        guard let first = all.first else {
            throw Problem(
                .databaseAway, "this server has not reached a database since its start; try again",
                headers: [("Retry-After", "1")])
        }
        signIns = first.signIns
        now = first.sessions.now
        self.request = request
        self.all = all.sorted { $0.settings.name.text < $1.settings.name.text }
    }

    private static let limits: JSONLimits = {
        var limits = JSONLimits()
        limits.bytes = 16 << 10
        limits.depth = 4
        return limits
    }()

    /// Calls a function for each environment. Skips those whose databases refuse, such as one with an older schema;
    /// throws if all do.
    ///
    /// - Parameter contexts: The environments; nil for all.
    func forEachEnvironment(of contexts: [IdentityContext]? = nil, _ body: (IdentityContext) throws -> Void) throws {
        var failure: PostgresFailure?
        var isReached = false
        for context in contexts ?? all {
            do {
                try body(context)
                isReached = true
            } catch let away as PostgresFailure { failure = away }
        }
        if let failure, !isReached { throw failure }
    }

    /// The invitation that a page has opened.
    struct Invited {
        let context: IdentityContext
        let secret: SessionSecret
        let record: InvitationRecord
    }

    /// Returns the invitation of the request, which is open; nil without one.
    func invitation() throws -> Invited? {
        guard let member = object["invitation"] else { return nil }
        let object = try member.members(["environment", "secret"])
        guard let context = object["environment"]?.stringValue.flatMap(context(named:)),
            let secret = object["secret"]?.stringValue.flatMap(SessionSecret.init),
            let record = try context.pool.withConnection({ try PasskeyStore($0).invitation(secret) })
        else {
            throw Problem(
                .invitationNotFound, "there is no such invitation; it may have been revoked, so ask for another one")
        }
        switch record.state {
        case .open: return Invited(context: context, secret: secret, record: record)
        case .accepted: throw Problem(.invitationUsed, "the invitation has been accepted; ask for another one")
        case .expired:
            throw Problem(
                .invitationExpired,
                "the invitation is older than \(InvitationAdministration.lifetimeHours) hours; ask for another one")
        case .void:
            throw Problem(
                .invitationVoid, "\(record.createdBy), who invited you, is no administrator any more; ask another one")
        }
    }

    private func context(named name: String) -> IdentityContext? {
        all.first { $0.settings.name.text.hasSameBytes(as: name) }
    }

    /// Returns the person with a passkey who is signed in at this browser; nil if there is none.
    ///
    /// The member `environment` chooses among several persons; without it, the first environment does.
    func signedInUser() throws -> CeremonyUser? {
        var sessions: [(context: IdentityContext, caller: Caller)] = []
        for context in all {
            // An ended session counts as no session. The session of an owned token must not outlive the token.
            guard let caller = try? context.authenticator.sessionCaller(of: request), caller.tokenID == nil,
                caller.session?.user?.issuer.hasSameBytes(as: origin.issuer) == true
            else { continue }
            sessions.append((context, caller))
        }
        let chosen = object["environment"]?.stringValue
        guard
            let first = sessions.first(where: { chosen?.hasSameBytes(as: $0.context.settings.name.text) ?? true }),
            let user = first.caller.session?.user
        else {
            if object["environment"] == nil { return nil }
            throw Problem(.invalidValue, "'environment' must name one in which a person with a passkey is signed in")
        }
        let (name, passkeys) = try first.context.pool.withConnection { connection in
            let store = PasskeyStore(connection)
            return (try store.person(user)?.name, try store.list(of: user))
        }
        return CeremonyUser(
            subject: user.subject, name: name ?? user.subject, credentials: passkeys.map(\.credential.id),
            verified: user, sessions: sessions.filter { $0.caller.session?.user == user })
    }

    /// Refreshes this worker's caches after an invitation was accepted, before the browser gets the response.
    func refresh(_ context: IdentityContext, _ subject: String) {
        context.sessions.forget(of: VerifiedUser(issuer: origin.issuer, subject: subject))
        // The change is committed even if the refresh fails; the worker then refreshes later.
        try? context.sessions.people.refresh()
    }

    /// A new session with the cookie for the browser.
    struct Begun {
        let context: IdentityContext
        let caller: Caller
        let cookie: (name: String, value: String)
    }

    /// Begins a session that replaces the browser's current one, in the transaction that finds the person.
    func signIn(at context: IdentityContext, _ person: (PasskeyStore) throws -> PasskeyPerson) throws -> Begun {
        let replaced = try context.sessions.presented(by: request)?.id
        let secret = SessionSecret(context.random(32))
        let session = try context.pool.withConnection { connection in
            try connection.transaction { connection in
                let person = try person(PasskeyStore(connection))
                return try SessionAdministration(connection).begin(
                    secret, of: .user(person.user, scopes: person.scopes, until: nil), at: .console, .passkey,
                    now: context.sessions.now, replacing: replaced)
            }
        }
        if let replaced { context.sessions.forget([replaced]) }
        guard let session, let caller = context.sessions.caller(session) else {
            throw Problem(.passkeyRefused, "the person has been removed from '\(context.settings.name)'")
        }
        return Begun(context: context, caller: caller, cookie: context.cookie(secret, of: caller))
    }

    /// Returns the response with the new sessions and passkeys.
    func response(_ begun: [Begun], _ added: [(environment: EnvironmentName, passkey: PasskeyRecord)] = []) -> Response
    {
        var response = Response.uncached(
            status: 201,
            JSONWriter.object { writer in
                writer.member(
                    "sessions",
                    array: { writer in
                        for session in begun {
                            writer.object { writer in
                                writer.member("environment", session.context.settings.name.text)
                                writer.members(of: session.caller, session.context.person(of: session.caller))
                            }
                        }
                    })
                writer.member(
                    "passkeys",
                    array: { writer in
                        for (environment, passkey) in added {
                            writer.object { writer in
                                writer.member("environment", environment.text)
                                writer.members(of: passkey)
                            }
                        }
                    })
            })
        for session in begun { response.headers.append(session.cookie) }
        return response
    }
}

/// The person for whom a ceremony may register a passkey.
struct CeremonyUser {
    let subject: String
    let name: String
    /// The ids of the person's credentials.
    let credentials: [[UInt8]]
    let verified: VerifiedUser
    /// The browser's sessions of the person.
    let sessions: [(context: IdentityContext, caller: Caller)]
}

extension CeremonyRequest.Invited {
    /// Returns the person who accepts the invitation.
    func user(at origin: ConsoleOrigin) throws -> CeremonyUser {
        let user = VerifiedUser(issuer: origin.issuer, subject: record.subject)
        let passkeys = try context.pool.withConnection { try PasskeyStore($0).list(of: user) }
        return CeremonyUser(
            subject: user.subject, name: record.name ?? user.subject, credentials: passkeys.map(\.credential.id),
            verified: user, sessions: [])
    }
}

/// The result of `navigator.credentials.create()`.
struct Registration {
    let client: ClientData
    let transports: [String]
    let label: String
    private let id: [UInt8]
    private let authenticatorData: [UInt8]

    init(_ ceremony: CeremonyRequest) throws(Problem) {
        let credential = try Self.credential(
            ceremony, "id", "client_data", "authenticator_data", "transports")
        id = try credential.bytes("id")
        let clientData = try credential.bytes("client_data")
        authenticatorData = try credential.bytes("authenticator_data")
        transports = try Self.transports(credential["transports"])
        label = try Self.label(ceremony.object["label"])
        do { client = try ClientData(clientData, of: .registration, at: ceremony.origin.party) } catch {
            throw Problem(error)
        }
    }

    fileprivate static func credential(
        _ ceremony: CeremonyRequest, _ allowed: String...
    ) throws(Problem) -> JSONObject {
        guard let member = ceremony.object["credential"] else {
            throw Problem(.invalidValue, "'credential' is missing; expected an object")
        }
        return try member.members(allowed)
    }

    private static func transports(_ member: JSONValue?) throws(Problem) -> [String] {
        guard let elements = (member ?? []).arrayValue, elements.count <= 8 else {
            throw Problem(.invalidValue, "'transports' must be an array of at most 8 texts")
        }
        return try elements.map { element throws(Problem) in
            guard let text = element.stringValue, text.wholeMatch(of: /[a-z\-]{1,32}/) != nil else {
                throw Problem(.invalidValue, "'transports' must contain words such as usb, nfc, internal")
            }
            return text
        }
    }

    private static func label(_ member: JSONValue?) throws(Problem) -> String {
        guard let label = (member ?? "Passkey").stringValue, (1...100).contains(label.unicodeScalars.count),
            !label.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
        else { throw Problem(.invalidValue, "'label' must have 1 to 100 characters on one line") }
        return label
    }

    /// Checks the registration, whose challenge has been used for this purpose.
    ///
    /// - Parameter subject: The person who gets the passkey.
    func credential(
        _ challenge: PasskeyStore.UsedChallenge?, for subject: String, at origin: ConsoleOrigin
    ) throws(Problem) -> Credential {
        guard let challenge else { throw .challengeUnknown }
        guard challenge.subject?.hasSameBytes(as: subject) == true else {
            throw Problem(.passkeyRefused, "the challenge was made for another person; request another challenge")
        }
        do {
            return try Credential(registering: id, client, authenticatorData: authenticatorData, at: origin.party)
        } catch { throw Problem(error) }
    }
}

/// The result of `navigator.credentials.get()`.
struct Assertion {
    let id: [UInt8]
    let client: ClientData
    private let authenticatorData: [UInt8]
    private let signature: [UInt8]
    private let userHandle: [UInt8]

    init(_ ceremony: CeremonyRequest) throws(Problem) {
        let credential = try Registration.credential(
            ceremony, "id", "client_data", "authenticator_data", "signature", "user_handle")
        id = try credential.bytes("id")
        let clientData = try credential.bytes("client_data")
        authenticatorData = try credential.bytes("authenticator_data")
        signature = try credential.bytes("signature")
        userHandle = try credential.bytes("user_handle")
        do { client = try ClientData(clientData, of: .signIn, at: ceremony.origin.party) } catch {
            throw Problem(error)
        }
    }

    /// Checks the signature, and returns the new counter of the passkey.
    func counter(
        _ passkey: PasskeyRecord, _ person: PasskeyPerson, at origin: ConsoleOrigin
    ) throws -> UInt32 {
        guard constantTimeEquals(userHandle, Base64URL.decode(person.user.subject) ?? []) else {
            throw Problem(.passkeyRefused, "'user_handle' belongs to another person than the passkey")
        }
        return try passkey.credential.counter(
            signing: client, authenticatorData: authenticatorData, signature: signature, at: origin.party)
    }
}

extension ConsoleOrigin {
    fileprivate var party: RelyingParty { RelyingParty(id: host, origin: text) }
}

extension PasskeyStore {
    /// Adds a passkey that no person has yet.
    func addNew(
        _ credential: Credential, transports: [String], label: String, to person: PasskeyPerson
    ) throws -> PasskeyRecord {
        do {
            guard let added = try add(credential, transports: transports, label: label, to: person) else {
                throw Problem(.limitExceeded, "a person may have 20 passkeys; remove one first")
            }
            return added
        } catch let failure as PostgresFailure where failure.state == .uniqueViolation {
            throw Problem(.passkeyExists, "this passkey is registered already; sign in with it")
        }
    }

    func addNew(
        _ credential: Credential, _ registration: Registration, to person: PasskeyPerson
    ) throws -> PasskeyRecord {
        try addNew(credential, transports: registration.transports, label: registration.label, to: person)
    }
}

extension Problem {
    init(_ failure: CeremonyFailure) { self.init(.passkeyRefused, "\(failure)") }

    static var challengeUnknown: Problem {
        Problem(
            .passkeyRefused,
            "the challenge is unknown, was used before, or is older than 5 minutes; request another one"
        )
    }
}

extension JSONObject {
    /// Returns the bytes of a member in base64url without padding.
    fileprivate func bytes(_ name: String) throws(Problem) -> [UInt8] {
        guard let bytes = self[name]?.stringValue.flatMap(Base64URL.decode) else {
            throw Problem(.invalidValue, "'\(name)' must be a text in base64url without padding")
        }
        return bytes
    }
}

extension JSONWriter {
    mutating func members(of passkey: PasskeyRecord) {
        member("id", passkey.id)
        member("label", passkey.label)
        member("created_at", "\(passkey.createdAt)")
        member("last_used_at", value: passkey.lastUsedAt.map { .string("\($0)") } ?? .null)
    }

    /// Writes the invitation for the invited person.
    mutating func members(of invited: CeremonyRequest.Invited) {
        member("environment", invited.context.settings.name.text)
        member("name", value: invited.record.name.map { .string($0) } ?? .null)
        member("role", invited.record.role)
        member("created_by", invited.record.createdBy)
        member("expires_at", "\(invited.record.expiresAt)")
    }
}
