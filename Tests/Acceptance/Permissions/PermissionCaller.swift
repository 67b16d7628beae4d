import AlmanacCryptography
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// The scopes of a caller in the permission matrix.
enum PermissionRole: String, CaseIterable {
    case none
    case evaluator
    case viewer
    /// May change the keys that begin with `banner.`.
    case bannerEditor
    /// May switch off the flag `app.theme`.
    case switcher
    case editor
    case approver
    case admin

    var scopes: [String] {
        switch self {
        case .none: []
        case .evaluator: ["flags:evaluate"]
        case .viewer: ["config:read"]
        case .bannerEditor: ["config:write:banner.*"]
        case .switcher: ["flags:disable:app.theme"]
        case .editor: ["config:read", "config:write", "config:propose"]
        case .approver: ["config:read", "config:write", "config:propose", "config:approve"]
        case .admin: ["admin"]
        }
    }
}

/// A way to sign in.
enum PermissionWay: String, CaseIterable {
    case anonymous
    case apiToken
    /// A session at the console that an owned API token began.
    case consoleSession
    /// A session at the console of a person who was invited.
    case passkeySession
    /// A session at the console of a user of an identity provider, whose claims give the role.
    case providerSession
    case accessToken
    /// A session at the notes pages that a user's access token began.
    case notesSession

    /// The roles of the callers who sign in this way.
    var roles: [PermissionRole] {
        switch self {
        case .anonymous, .notesSession: [.none]
        case .apiToken: PermissionRole.allCases.filter { $0 != .none }
        // A token that cannot read the config opens no session.
        case .consoleSession: PermissionRole.allCases.filter { ![.none, .evaluator, .switcher].contains($0) }
        case .passkeySession: [.viewer, .editor, .approver, .admin]
        // A user without a scope is no operator.
        case .providerSession: PermissionRole.allCases.filter { $0 != .none }
        case .accessToken: PermissionRole.allCases
        }
    }
}

/// A caller of the permission matrix.
struct PermissionCaller {
    let role: PermissionRole
    let way: PermissionWay
    private let client: HTTPClient
    private let headers: [(String, String)]

    func send(_ request: PermissionRequest, _ names: [String: String]) throws -> HTTPResponse {
        try client.send(
            request.method, request.path(names), headers: headers, body: request.body.map { Array($0.utf8) })
    }

    /// Signs in one caller for each role and way to sign in.
    ///
    /// - Parameters:
    ///   - admin: a token of the scope `admin` that has an owner.
    ///   - database: a connection to the environment's database as the superuser.
    static func all(
        in environment: String, of instance: Instance, admin: String, _ database: Connection
    ) throws -> [PermissionCaller] {
        let administrator = instance.client(token: admin)
        let person = try #require(
            administrator.send("GET", "/\(environment)/session").json().objectValue?["person"]?.objectValue)
        func apiToken(_ role: PermissionRole) throws -> String {
            let answer = try administrator.send(
                "POST", "/\(environment)/tokens",
                json: [
                    "label": .string(role.rawValue), "scopes": .array(role.scopes.map { .string($0) }),
                    "expires_at": .null, "owner": ["issuer": person["issuer"]!, "subject": person["subject"]!],
                ])
            return try #require(answer["token"]?.stringValue, "\(answer.text)")
        }
        func accessToken(_ role: PermissionRole) throws -> String {
            let options = role.scopes.flatMap { ["--scope", $0] }
            return try NotesUser(role.rawValue, in: environment, options: options).token
        }
        func session(_ token: String, at application: String) throws -> [(String, String)] {
            let page = page(of: application, instance)
            let answer = try instance.client().send(
                "POST", "/\(environment)/session", headers: page, json: ["token": .string(token)])
            return page + [try cookie(answer)]
        }
        func passkeySession(_ role: PermissionRole) throws -> [(String, String)] {
            let made = try administrator.send(
                "POST", "/\(environment)/invitations",
                json: ["name": .string(role.rawValue), "role": .string(role.rawValue)])
            let secret = try #require(made["link"]?.stringValue?.split(separator: "/").last, "\(made.text)")
            let invitation: JSONValue = ["environment": .string(environment), "secret": .string(String(secret))]
            let (client, page) = (instance.client(), page(of: "console", instance))
            let begun = try client.send(
                "POST", "/passkeys/challenge", headers: page, json: ["invitation": invitation])
            let challenge = try #require(begun["challenge"]?.stringValue.flatMap(Base64URL.decode), "\(begun.text)")
            let authenticator = try SoftwareAuthenticator()
            let ceremony = authenticator.creation(challenge, at: try #require(begun["origin"]?.stringValue))
            func text(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }
            let registered = try client.send(
                "POST", "/passkeys/registration", headers: page,
                json: [
                    "invitation": invitation,
                    "credential": [
                        "id": text(authenticator.credentialID), "client_data": text(ceremony.clientData),
                        "authenticator_data": text(ceremony.authenticatorData),
                    ],
                ])
            return page + [try cookie(registered)]
        }
        func providerSession(_ role: PermissionRole) throws -> [(String, String)] {
            // The environment has one provider, that of the access tokens, so this stores what a callback would store.
            let secret = RandomBytes.make(count: 32)
            let begin = Statement(
                """
                -- name: test_provider_session
                select id from begin_session($1, 'console', 'provider', null, $2, $3, null, $4, '2 hours',
                    now() + interval '12 hours', null, null)
                """)
            let rows = try database.run(
                begin, .bytes(SHA256.digest(secret)), .text("urn:almanac:development:\(environment)"),
                .text("provider-\(role.rawValue)"), .textArray(role.scopes))
            try #require(rows.count == 1)
            return page(of: "console", instance)
                + [("Cookie", "__Host-almanac-\(environment)=\(Base64URL.encode(secret))")]
        }
        return try PermissionWay.allCases.flatMap { way in
            try way.roles.map { role in
                var token: String?
                var headers: [(String, String)] = []
                switch way {
                case .anonymous: break
                case .apiToken: token = try apiToken(role)
                case .consoleSession: headers = try session(apiToken(role), at: "console")
                case .passkeySession: headers = try passkeySession(role)
                case .providerSession: headers = try providerSession(role)
                case .accessToken: token = try accessToken(role)
                case .notesSession: headers = try session(accessToken(role), at: "notes")
                }
                return PermissionCaller(role: role, way: way, client: instance.client(token: token), headers: headers)
            }
        }
    }

    /// Returns the headers that the page of an application sends.
    private static func page(of application: String, _ instance: Instance) -> [(String, String)] {
        let host = instance.url.dropFirst("https://".count)
        return [("Host", "\(application).\(host)"), ("Sec-Fetch-Site", "same-origin"), ("Almanac-Session", "1")]
    }

    /// Returns the cookie that a response sets, as a browser sends it.
    private static func cookie(_ answer: HTTPResponse) throws -> (String, String) {
        ("Cookie", String(try #require(answer.header("Set-Cookie")?.prefix { $0 != ";" }, "\(answer.text)")))
    }
}
