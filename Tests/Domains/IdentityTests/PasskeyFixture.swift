import AlmanacCryptography
import AlmanacEnvironments
import AlmanacForms
import AlmanacHTTP
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacIdentity

/// Environments as a worker serves them to the console's page, with people who hold passkeys.
struct PasskeyFixture: Sendable {
    static let origin = ConsoleOrigin("https://console.example.com")
    static let page = SessionFixture.page + [("Host", "console.example.com")]

    let environments: [SessionFixture]
    let signIns: SignInCounts

    init(_ environments: SessionFixture...) {
        self.environments = environments
        signIns = environments[0].context.signIns
    }

    var first: SessionFixture { environments[0] }

    /// Sends a request about all environments, or about the first one if the path begins with its name.
    func send(
        _ method: String = "POST", _ path: String, _ body: JSONValue = [:], cookies: [String] = [],
        headers: [(String, String)] = page, at application: Application? = .console
    ) throws -> SessionResponse {
        let bytes = body.serialized()
        let cookie = cookies.isEmpty ? [] : [("Cookie", cookies.joined(separator: "; "))]
        let request = Request(
            method: method, target: try Target(path),
            headers: Headers((headers + cookie).map { (name: $0.0, value: $0.1) }), application: application,
            id: "test", body: Body(length: method == "POST" ? bytes.count : 0) { Array(bytes.prefix($0)) })
        do {
            guard let environment = environments.first(where: { path.hasPrefix("/\($0.settings.name)/") }) else {
                let (route, captures) = try Router(IdentityRoutes.directory).route(request)
                return try SessionResponse(route.answer(request, captures, environments.map(\.context)))
            }
            let (route, captures) = try Router(IdentityRoutes.all).route(request)
            return try SessionResponse(route.answer(request, captures, environment.context))
        } catch let problem as Problem {
            return try SessionResponse(problem.response(requestID: "test"))
        }
    }

    /// An invitation as its link names it.
    struct Link: Sendable {
        let environment: String
        var secret: String

        var json: JSONValue { ["environment": .string(environment), "secret": .string(secret)] }
    }

    func invite(
        _ name: String = "Ada", _ role: Role = .editor, person: String? = nil, to environment: SessionFixture? = nil
    ) throws -> Link {
        let environment = environment ?? first
        let administration = InvitationAdministration(
            try Connection(environment.settings.owner), by: Author("tests", .host))
        let name = try #require(PersonName(name))
        let made = try administration.create(name: name, role: role, person: person, origin: Self.origin)
        let secret = try #require(made?.secret)
        return Link(environment: environment.settings.name.text, secret: secret)
    }

    /// Returns a new challenge, with the user handle for whom it may register a passkey.
    func challenge(_ link: Link? = nil, cookies: [String] = []) throws -> (bytes: [UInt8], user: [UInt8]) {
        let body: JSONValue = link.map { ["invitation": $0.json] } ?? [:]
        let begun = try send("POST", "/passkeys/challenge", body, cookies: cookies)
        try #require(begun.status == 201, "\(begun)")
        let bytes = try #require(begun["challenge"].stringValue.flatMap(Base64URL.decode))
        let user = begun["user"].objectValue?["id"]?.stringValue.flatMap(Base64URL.decode)
        return (bytes, user ?? [])
    }

    /// Returns the body of a registration.
    func registration(_ ceremony: PasskeyCeremony, id: [UInt8]? = nil, _ link: Link?) -> JSONValue {
        let credential: JSONValue = [
            "id": .bytes(id ?? ceremony.credentialID ?? []), "client_data": .bytes(ceremony.clientData),
            "authenticator_data": .bytes(ceremony.authenticatorData), "transports": ["internal", "hybrid"],
        ]
        guard let link else { return ["credential": credential] }
        return ["credential": credential, "invitation": link.json]
    }

    /// Returns the body of a sign-in.
    func signIn(
        _ ceremony: PasskeyCeremony, _ authenticator: SoftwareAuthenticator, _ link: Link? = nil
    ) throws -> JSONValue {
        var members: [(String, JSONValue)] = [
            (
                "credential",
                [
                    "id": .bytes(authenticator.credentialID), "client_data": .bytes(ceremony.clientData),
                    "authenticator_data": .bytes(ceremony.authenticatorData),
                    "signature": .bytes(try authenticator.signature(of: ceremony)),
                    "user_handle": .bytes(authenticator.userHandle),
                ]
            )
        ]
        if let link { members.append(("invitation", link.json)) }
        return .object(JSONObject(members))
    }

    /// Registers a new passkey with an invitation.
    func join(
        _ link: Link, _ kind: OpenSSLKey.Kind = .p256, counter: UInt32 = 0
    ) throws -> (passkey: SoftwareAuthenticator, cookies: [String]) {
        var authenticator = try SoftwareAuthenticator(kind, counter: counter)
        let challenge = try challenge(link)
        authenticator.userHandle = challenge.user
        let made = try send(
            "POST", "/passkeys/registration",
            registration(authenticator.creation(challenge.bytes, at: Self.origin.text), link))
        try #require(made.status == 201, "\(made)")
        return (authenticator, made.cookies)
    }

    /// Signs in with a passkey.
    ///
    /// - Parameter counter: The counter that the authenticator signs; nil for its own.
    func signIn(
        _ authenticator: SoftwareAuthenticator, counter: UInt32? = nil, _ link: Link? = nil
    ) throws -> SessionResponse {
        var ceremony = authenticator.signIn(try challenge(link).bytes, at: Self.origin.text)
        ceremony.counter = counter ?? ceremony.counter
        return try send("POST", "/passkeys/session", signIn(ceremony, authenticator, link))
    }

    /// The people, passkeys, sessions and invitations of the first environment in short form.
    var state: [String] {
        get throws {
            let query = Statement(
                """
                -- name: test_passkey_state
                select line from (
                    select concat_ws(' ', 'person', id, name, role, removed_at is not null) as line from people
                    union all select concat_ws(' ', 'passkey', id, person_id, counter) from passkeys
                    union all select concat_ws(' ', 'session', id, how, expires_at > now()) from sessions
                    union all select concat_ws(' ', 'invitation', id, accepted_at is not null) from invitations
                ) l order by line
                """)
            return try first.observer.run(query).map { try $0.text("line") }
        }
    }
}

extension JSONValue {
    static func bytes(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }
}

extension SessionResponse {
    /// The cookies that the response sets, in the form a browser sends.
    var cookies: [String] {
        String(decoding: response.headers.bytes, as: UTF8.self).split(separator: "\r\n").compactMap { line in
            guard line.hasPrefix("Set-Cookie: "), let pair = line.dropFirst(12).split(separator: ";").first else {
                return nil
            }
            return String(pair)
        }
    }
}
