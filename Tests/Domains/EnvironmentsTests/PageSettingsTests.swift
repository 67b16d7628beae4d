import AlmanacEnvironments
import AlmanacProposals
import AlmanacTestSupport
import Testing

@Suite struct PageSettingsTests {
    private let folder: TemporaryFolder
    private let secret: String

    init() throws {
        folder = try TemporaryFolder()
        secret = try folder.write("client.secret", "s3cret of the client\n".utf8)
    }

    private func load(
        _ members: String, name: String = "a", for reader: EnvironmentsFile.FileReader = .worker
    ) throws -> EnvironmentSettings {
        let json = #"{"\#(name)": {"database": "dbname=a", \#(members)}}"#
        return try EnvironmentsFile.load(try folder.write("environments.json", json.utf8), for: reader)[0]
    }

    private var identity: String {
        #"""
        "identity": {"issuer": "https://login.example.com/", "audience": "notes", "client_id": "almanac",
                     "client_secret_file": "\#(secret)"}
        """#
    }

    @Test func `a client is read with its secret, which is shown to nobody`() throws {
        let settings = try load(identity)
        let client = try #require(settings.signIn)
        #expect(client.id == "almanac" && client.secret.text == "s3cret of the client" && client.scopes == [])
        var dumped = "\(settings) \(String(reflecting: settings))"
        dump(settings, to: &dumped)
        #expect(!dumped.contains("s3cret"))
        // A host's operator commands never sign users in, so their settings omit the secret.
        #expect(try load(identity, for: .owner).signIn?.secret.text == "")
        #expect(try load(#""config_read": "public""#).signIn == nil)
    }

    @Test func `operators are told by the values of a claim`() throws {
        let operators = try load(
            #"""
            \#(identity), "operators": {"claim": "groups", "config:bypass": ["ops"],
                                        "config:write:app.*": ["dev", "ops"], "config:read": ["everyone"]}
            """#
        ).operators
        #expect(operators.scopes(for: ["groups": ["ops"]]) == ["config:bypass", "config:write:app.*"])
        #expect(operators.scopes(for: ["groups": ["everyone", "dev", "x"]]) == ["config:read", "config:write:app.*"])
        #expect(operators.scopes(for: ["groups": ["Ops", "ops ", "", "*"]]) == [])
        #expect(operators.scopes(for: ["roles": ["ops"]]) == [])
        #expect(operators.scopes(for: [:]) == [])
    }

    @Test func `several claims give roles and scopes, and a star makes everybody a viewer but nobody more`() throws {
        let operators = try load(
            #"""
            \#(identity), "operators": [
                {"claim": "groups", "editor": ["dev"], "approver": ["leads"], "viewer": ["*"]},
                {"claim": "roles.almanac", "admin": ["ops"], "config:bypass": ["ops"]}]
            """#
        ).operators
        #expect(operators.map(\.name) == ["groups", "roles.almanac"])
        #expect(operators.scopes(for: [:]) == ["config:read"])
        #expect(operators.scopes(for: ["groups": ["*"], "roles.almanac": ["*"]]) == ["config:read"])
        #expect(
            operators.scopes(for: ["groups": ["dev"]]) == ["config:propose", "config:read", "config:write"])
        #expect(
            operators.scopes(for: ["groups": ["leads"], "roles.almanac": ["ops"]])
                == ["admin", "config:approve", "config:bypass", "config:propose", "config:read", "config:write"])
    }

    @Test func `approvals are required by key, with exemptions by default`() throws {
        #expect(try load(#""config_read": "public""#).approvals == nil)
        let policy = try #require(
            try load(
                #"""
                "approvals": {"required": 1, "rules": [
                    {"keys": "pay.*", "required": 2}, {"keys": "pay.b", "required": 1}]}
                """#
            ).approvals)
        #expect(["pay", "pay.a", "pay.b"].map(policy.required) == [1, 2, 2])
        #expect(policy.exemptions == [.disable, .undo] && policy.expiryDays == 14 && policy.lateMinutes == 60)
        let strict = try #require(
            try load(#""approvals": {"required": 3, "exempt": [], "expires_days": 7, "late_minutes": 5}"#).approvals)
        #expect(strict.exemptions.isEmpty && strict.expiryDays == 7 && strict.lateMinutes == 5)
    }

    @Test(
        arguments: [
            (#""operators": {"claim": "groups", "admin": ["ops"]}"#, "set 'client_id' in 'identity'"),
            (#"IDENTITY, "operators": {"admin": ["ops"]}"#, "'claim' is missing"),
            (#"IDENTITY, "operators": {"claim": "groups"}"#, "expected a role or a scope"),
            (#"IDENTITY, "operators": {"claim": "groups", "root": ["ops"]}"#, "'root' is not a role or a scope"),
            (#"IDENTITY, "operators": {"claim": "groups", "config:write:*": ["ops"]}"#, "is not a role or a scope"),
            (#"IDENTITY, "operators": {"claim": "groups", "admin": []}"#, "must list values"),
            (#"IDENTITY, "operators": {"claim": "groups", "admin": ["*"]}"#, "allowed for 'viewer' only"),
            (#"IDENTITY, "operators": {"claim": "groups", "config:read": ["*"]}"#, "allowed for 'viewer' only"),
            (#"IDENTITY, "operators": []"#, "must not be an empty array"),
            (#"IDENTITY, "operators": ["groups"]"#, "'a.operators[0]' must be an object"),
            (
                #"IDENTITY, "operators": [{"claim": "g", "admin": ["a"]}, {"claim": "g", "editor": ["b"]}]"#,
                "the claim 'g' is given twice"
            ),
            (#"IDENTITY, "operators": {"claim": "groups", "admin": "ops"}"#, "must be an array"),
            (#""identity": {"issuer": "https://a.b/", "audience": "n", "client_id": "x"}"#, "must both be set"),
            (
                #""identity": {"issuer": "https://a.b/", "audience": "n", "client_secret_file": "x"}"#,
                "must both be set"
            ),
            (
                #""identity": {"issuer":"https://a.b/","audience": "n","client_id": "x","client_secret_file": "/no"}"#,
                "cannot read the client's secret /no"
            ),
            (#""identity": {"development": true, "client_id": "x"}"#, "excludes the other members"),
            (#""console": {"color": "red"}"#, "#1d7a46"), (#""console": {"caution": 1}"#, "true or false"),
            (#""console": {"origin": "http://console.example.com"}"#, "https://console.example.com"),
            (#""console": {"origin": "https://console.example.com/"}"#, "https://console.example.com"),
            (#""console": {"origin": "console.example.com"}"#, "https://console.example.com"),
            (##""console": {"colour": "#123456"}"##, "unknown member 'colour'"),
            (#""approvals": {}"#, "'required' is missing"), (#""approvals": {"required": 0}"#, "from 1 to 20"),
            (#""approvals": {"required": 1, "rules": [{"keys": "*", "required": 2}]}"#, "such as pay.*"),
            (#""approvals": {"required": 1, "rules": [{"keys": "pay.*"}]}"#, "that these keys need"),
            (#""approvals": {"required": 1, "exempt": ["all"]}"#, "contains 'all'; expected disable, undo"),
            (#""approvals": {"required": 1, "expires_days": 0}"#, "from 1 to 365"),
            (#""approvals": true"#, "must be an object"),
        ])
    func `what cannot be meant is refused`(members: String, reason: String) throws {
        let failure = try #require(throws: EnvironmentsFailure.self) {
            try load(members.replacing("IDENTITY", with: identity))
        }
        #expect("\(failure)".contains(reason), "\(failure)")
    }

    @Test func `an environment has a colour, and care where it needs some`() throws {
        let plain = try load(#""config_read": "public""#).appearance
        #expect(plain.color == nil && !plain.needsCaution)
        for name in ["production", "prod", "live"] {
            #expect(try load(#""config_read": "public""#, name: name).appearance.needsCaution)
        }
        let own = try load(##""console": {"color": "#1D7a46", "caution": false}"##, name: "production").appearance
        #expect(own.color == "#1D7a46" && !own.needsCaution)
        #expect(try load(#""console": {"caution": true}"#).appearance.needsCaution)
        let origin = "https://console.example.com:8443"
        #expect(try load(#""console": {"origin": "\#(origin)"}"#).consoleOrigin == origin)
    }

    @Test(arguments: ["assets", "console", "environments", "notes", "ofrep", "passkeys", "sdk", "www"])
    func `a path of the pages is no environment`(name: String) throws {
        let failure = try #require(throws: EnvironmentsFailure.self) {
            try load(#""config_read": "public""#, name: name)
        }
        #expect("\(failure)".contains("an environment cannot be named '\(name)'"))
    }
}
