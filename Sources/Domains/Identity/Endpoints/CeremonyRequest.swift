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
    let object: JSONObject
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

    /// A failure in one of several environments.
    struct Failure {
        let context: IdentityContext
        let error: any Error

        /// The failure as a problem for the page.
        var problem: Problem {
            switch error {
            case let problem as Problem: problem
            case let failure as CeremonyFailure: Problem(failure)
            default: Problem(.databaseAway, "the database of '\(context.settings.name)' did not answer; try again")
            }
        }
    }

    /// Calls a function for each item. Returns the results, and appends failures instead of throwing, because earlier
    /// results are committed.
    func collecting<Item, Result>(
        _ failures: inout [Failure], _ items: [Item], at context: (Item) -> IdentityContext,
        _ body: (Item) throws -> Result
    ) -> [Result] {
        items.compactMap { item in
            do { return try body(item) } catch {
                failures.append(Failure(context: context(item), error: error))
                return nil
            }
        }
    }

    /// Makes a challenge in an environment whose database answers.
    ///
    /// - Parameters:
    ///   - user: The only person for whom the challenge may register a passkey.
    ///   - contexts: The environments that come into question; nil for those in which the person is signed in, or all.
    func makeChallenge(for user: CeremonyUser?, at contexts: [IdentityContext]?) throws -> PasskeyChallenge {
        let home = try firstReached(among: contexts ?? user?.sessions.map(\.context) ?? all) { _ in true }
        guard let home else { throw Problem.challengeUnknown }
        return PasskeyChallenge(
            home.context.random(8), for: user?.subject, until: now.advanced(bySeconds: PasskeyChallenge.lifetime),
            home: home.home)
    }

    /// Returns the environment that made a challenge. Throws if none of the environments did, or too long ago.
    ///
    /// - Parameter contexts: The environments that come into question; nil for all.
    func home(of challenge: PasskeyChallenge, among contexts: [IdentityContext]? = nil) throws -> IdentityContext {
        let home = try firstReached(among: contexts ?? all) { challenge.isMade(by: $0, at: now) }
        guard let home else { throw Problem.challengeUnknown }
        return home.context
    }

    /// Returns the first environment that matches. Throws if there is none, and a database refused.
    private func firstReached(
        among contexts: [IdentityContext], where matches: (PasskeyStore.Home) -> Bool
    ) throws -> (context: IdentityContext, home: PasskeyStore.Home)? {
        var failure: PostgresFailure?
        for context in contexts {
            do {
                let home = try context.pool.withConnection { try PasskeyStore($0).home(context.settings.name) }
                if matches(home) { return (context, home) }
            } catch let away as PostgresFailure { failure = away }
        }
        if let failure { throw failure }
        return nil
    }

    /// Records the use of a challenge in the environment that made it. Throws if it was used before.
    func use(_ challenge: PasskeyChallenge, of home: IdentityContext) throws {
        guard try home.pool.withConnection({ try PasskeyStore($0).use(challenge) }) else {
            throw Problem.challengeUnknown
        }
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
    ///
    /// - Parameter find: Returns the person, and the passkey with which the session ends.
    func signIn(
        at context: IdentityContext, _ find: (PasskeyStore) throws -> (person: PasskeyPerson, passkey: PasskeyRecord)
    ) throws -> Begun {
        let replaced = try context.sessions.presented(by: request)?.id
        let secret = SessionSecret(context.random(32))
        let session = try context.pool.withConnection { connection in
            try connection.transaction { connection in
                let (person, passkey) = try find(PasskeyStore(connection))
                return try SessionAdministration(connection).begin(
                    secret, of: .user(person.user, scopes: person.scopes, until: nil), at: .console, .passkey,
                    passkey: passkey.id, now: context.sessions.now, replacing: replaced)
            }
        }
        if let replaced { context.sessions.forget([replaced]) }
        guard let session, let caller = context.sessions.caller(session) else {
            throw Problem(.passkeyRefused, "the person has been removed from '\(context.settings.name)'")
        }
        return Begun(context: context, caller: caller, cookie: context.cookie(secret, of: caller))
    }

    /// Returns the response with the new sessions and passkeys, and the environments that refused.
    func response(
        _ begun: [Begun], _ added: [(environment: EnvironmentName, passkey: PasskeyRecord)] = [],
        _ failures: [Failure] = []
    ) -> Response {
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
                writer.member(
                    "failures",
                    array: { writer in
                        for failure in failures {
                            let problem = failure.problem
                            writer.object { writer in
                                writer.member("environment", failure.context.settings.name.text)
                                writer.member("type", "urn:almanac:problem:" + problem.kind.rawValue)
                                writer.member("detail", problem.detail)
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
