internal import AlmanacCryptography
internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps
internal import AlmanacWebAuthn

/// The ceremonies of passkeys at the console's host, each for all environments of the worker.
enum CeremonyEndpoints {
    /// `POST /passkeys/challenge`: begins a ceremony. With an invitation or a session, the response also names the user
    /// for whom a passkey may be registered.
    static func challenge(_ request: Request, _: Captures, _ all: [IdentityContext]) throws -> Response {
        let ceremony = try CeremonyRequest(request, all, "invitation", "environment")
        let invited = try ceremony.invitation()
        let user =
            if let invited { try invited.user(at: ceremony.origin) } else { try ceremony.signedInUser() }
        let challenge = try ceremony.makeChallenge(for: user, at: invited.map { [$0.context] })
        return .uncached(
            status: 201,
            JSONWriter.object { writer in
                writer.member("challenge", Base64URL.encode(challenge.bytes))
                writer.member("rp_id", ceremony.origin.host)
                writer.member("origin", ceremony.origin.text)
                writer.member("expires_at", "\(challenge.expiresAt)")
                if let user {
                    writer.member(
                        "user",
                        object: { writer in
                            writer.member("id", user.subject)
                            writer.member("name", user.name)
                        })
                    writer.member("exclude", user.credentials.map(Base64URL.encode))
                }
                if let invited { writer.member("invitation", object: { $0.members(of: invited) }) }
            })
    }

    /// `POST /passkeys/registration`: registers a passkey. With an invitation, accepts it and signs in; without one,
    /// adds a passkey of the signed-in person in every environment in which the person is signed in.
    static func register(_ request: Request, _: Captures, _ all: [IdentityContext]) throws -> Response {
        let ceremony = try CeremonyRequest(request, all, "invitation", "environment", "credential", "label")
        let registration = try Registration(ceremony)
        if let invited = try ceremony.invitation() {
            return try ceremony.signIns.counting(.passkey) { try accept(invited, registration, ceremony) }
        }
        return try addPasskey(registration, ceremony)
    }

    private static func accept(
        _ invited: CeremonyRequest.Invited, _ registration: Registration, _ ceremony: CeremonyRequest
    ) throws -> Response {
        let context = invited.context
        _ = try ceremony.home(of: registration.challenge, among: [context])
        let credential = try registration.credential(for: invited.record.subject, at: ceremony.origin)
        let begun = try ceremony.signIn(at: context) { store in
            guard try store.use(registration.challenge) else { throw Problem.challengeUnknown }
            guard let person = try store.accept(invited.secret, issuer: ceremony.origin.issuer, subject: nil) else {
                throw Problem(.invitationUsed, "the invitation was accepted meanwhile, or you have access here already")
            }
            return (person, try store.addNew(credential, registration, to: person))
        }
        ceremony.refresh(context, invited.record.subject)
        return ceremony.response([begun])
    }

    private static func addPasskey(_ registration: Registration, _ ceremony: CeremonyRequest) throws -> Response {
        guard let user = try ceremony.signedInUser() else { throw Authenticator.tokenNeeded }
        let contexts = user.sessions.map(\.context)
        for session in user.sessions { try session.caller.needsFreshSignIn(at: session.context.sessions.now) }
        let home = try ceremony.home(of: registration.challenge, among: contexts)
        let credential = try registration.credential(for: user.subject, at: ceremony.origin)
        try ceremony.use(registration.challenge, of: home)
        var failures: [CeremonyRequest.Failure] = []
        let added = ceremony.collecting(&failures, contexts, at: \.self) { context in
            let passkey = try context.pool.withConnection { connection in
                let store = PasskeyStore(connection)
                guard let person = try store.person(user.verified) else {
                    throw Problem(.passkeyRefused, "the person has been removed from '\(context.settings.name)'")
                }
                return try store.addNew(credential, registration, to: person)
            }
            return (environment: context.settings.name, passkey: passkey)
        }
        if added.isEmpty { throw failures[0].error }
        return ceremony.response([], added, failures)
    }

    /// `POST /passkeys/session`: signs in to every environment that knows the passkey. With an invitation of another
    /// environment, that environment gets to know the passkey first.
    static func signIn(_ request: Request, _: Captures, _ all: [IdentityContext]) throws -> Response {
        let ceremony = try CeremonyRequest(request, all, "invitation", "credential")
        return try ceremony.signIns.counting(.passkey) {
            do { return try signIn(ceremony) } catch let failure as CeremonyFailure { throw Problem(failure) }
        }
    }

    private static func signIn(_ ceremony: CeremonyRequest) throws -> Response {
        let assertion = try Assertion(ceremony)
        let invited = try ceremony.invitation()
        let home = try ceremony.home(of: assertion.challenge)
        var verified: [Verified] = []
        var failures: [CeremonyRequest.Failure] = []
        try ceremony.forEachEnvironment { context in
            try context.pool.withConnection { connection in
                let store = PasskeyStore(connection)
                guard
                    let (passkey, person) = try store.find(
                        credential: assertion.id, issuer: ceremony.origin.issuer)
                else { return }
                do {
                    let counter = try assertion.counter(passkey, person, at: ceremony.origin)
                    verified.append(
                        Verified(context: context, passkey: passkey, person: person, counter: counter))
                } catch {
                    if error as? CeremonyFailure == .counterWentBack {
                        try store.recordRefusal(of: passkey, person: person)
                    }
                    failures.append(CeremonyRequest.Failure(context: context, error: error))
                }
            }
        }
        guard let first = verified.first else {
            throw failures.first?.error
                ?? Problem(.passkeyUnknown, "no environment knows this passkey; ask an administrator to invite you")
        }
        try ceremony.use(assertion.challenge, of: home)
        var begun: [CeremonyRequest.Begun] = []
        if let invited {
            begun.append(try accept(invited, with: first, known: verified, ceremony))
        }
        let others = verified.filter { $0.context !== invited?.context }
        begun += ceremony.collecting(&failures, others, at: \.context) { own in
            try own.recordingRefusal { try ceremony.signIn(at: own.context) { try own.use(in: $0) } }
        }
        if begun.isEmpty { throw failures[0].error }
        return ceremony.response(begun, [], failures)
    }

    /// Accepts an invitation with a passkey that an environment knows.
    private static func accept(
        _ invited: CeremonyRequest.Invited, with first: Verified, known: [Verified], _ ceremony: CeremonyRequest
    ) throws -> CeremonyRequest.Begun {
        defer { ceremony.refresh(invited.context, first.person.user.subject) }
        return try ceremony.signIn(at: invited.context) { store in
            guard
                let person = try store.accept(
                    invited.secret, issuer: ceremony.origin.issuer, subject: first.person.user.subject)
            else {
                throw Problem(
                    .invitationUsed,
                    "the invitation has been accepted meanwhile, or is for another person's new passkey")
            }
            if let own = known.first(where: { $0.context === invited.context }) { return try own.use(in: store) }
            let credential = first.passkey.credential
            let passkey = try store.addNew(
                Credential(
                    id: credential.id, key: credential.key, counter: first.counter,
                    isBackupEligible: credential.isBackupEligible),
                transports: first.passkey.transports, label: first.passkey.label, to: person)
            return (person, passkey)
        }
    }

    /// A passkey that an environment knows and whose signature is valid.
    private struct Verified {
        let context: IdentityContext
        let passkey: PasskeyRecord
        let person: PasskeyPerson
        let counter: UInt32

        /// Records the use. Throws if another sign-in with a later counter was faster.
        func use(in store: PasskeyStore) throws -> (person: PasskeyPerson, passkey: PasskeyRecord) {
            guard try store.use(passkey, counter: counter) else { throw CeremonyFailure.counterWentBack }
            return (person, passkey)
        }

        /// Runs a sign-in. Records a refusal because of the counter, after the transaction of the sign-in.
        func recordingRefusal<Result>(_ signIn: () throws -> Result) throws -> Result {
            do { return try signIn() } catch let failure as CeremonyFailure {
                try context.pool.withConnection { try PasskeyStore($0).recordRefusal(of: passkey, person: person) }
                throw failure
            }
        }
    }
}
