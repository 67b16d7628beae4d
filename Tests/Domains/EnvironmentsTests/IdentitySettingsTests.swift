import AlmanacEnvironments
import AlmanacHTTPSClient
import AlmanacTestSupport
import Testing

@Suite struct IdentitySettingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func load(_ json: String) throws -> [EnvironmentSettings] {
        try EnvironmentsFile.load(try folder.write("environments.json", json.utf8), for: .worker)
    }

    private func identity(_ json: String) throws -> IdentitySettings? {
        try load(#"{"a": {"database": "dbname=a", "identity": \#(json)}}"#)[0].identity
    }

    private func refusal(_ json: String) throws -> String {
        let failure = try #require(throws: EnvironmentsFailure.self) { try load(json) }
        #expect("\(failure)".contains("environments.json"))
        return failure.reason
    }

    private func refusal(identity json: String) throws -> String {
        try refusal(#"{"a": {"database": "dbname=a", "identity": \#(json)}}"#)
    }

    @Test func `without identity there are no users`() throws {
        #expect(try load(#"{"a": {"database": "dbname=a"}}"#)[0].identity == nil)
    }

    @Test(arguments: [
        "https://login.example.com", "https://login.example.com/", "https://login.example.com:8443/realms/notes",
        "http://localhost:8000", "http://127.0.0.1:8000", "http://[::1]:8000/",
    ])
    func `a provider is read as it is written`(issuer: String) throws {
        let address = try #require(WebAddress(issuer))
        #expect(
            try identity(#"{"issuer": "\#(issuer)", "audience": "notes"}"#)
                == .provider(issuer: address, audience: "notes", caFile: nil))
        #expect(
            try identity(#"{"issuer": "\#(issuer)", "audience": "notes", "development": false}"#)
                == .provider(issuer: address, audience: "notes", caFile: nil))
    }

    @Test func `a private authority's file is named, and must be there`() throws {
        let caFile = try folder.write("ca.pem", "certificates".utf8)
        let issuer = try #require(WebAddress("https://login.example.com"))
        let json = #"{"issuer": "https://login.example.com", "audience": "notes", "ca_file": "\#(caFile)"}"#
        #expect(try identity(json) == .provider(issuer: issuer, audience: "notes", caFile: caFile))
        let missing = json.replacing("ca.pem", with: "other.pem")
        #expect(try refusal(identity: missing).contains("other.pem: No such file"))
    }

    @Test func `the development issuer's key is beside the environments file`() throws {
        let development = try identity(#"{"development": true}"#)
        guard case .development(let files) = development else {
            Issue.record("\(String(describing: development))")
            return
        }
        #expect(files.privateKey == "\(folder.path)/development-a.key")
        #expect(files.publicKey == "\(folder.path)/development-a.pub")
    }

    @Test(arguments: [
        #""issuer": "https://login.example.com", "audience": "notes""#, #""issuer": "https://login.example.com""#,
        #""audience": "notes""#, #""ca_file": "/etc/hosts""#,
    ])
    func `the development issuer stands alone`(members: String) throws {
        let reason = try refusal(identity: #"{"development": true, \#(members)}"#)
        #expect(reason.hasPrefix("in 'a.identity': 'development' excludes the other members"))
    }

    @Test(arguments: [
        ("{}", "expected 'issuer' and 'audience'"), (#"{"development": false}"#, "expected 'issuer' and 'audience'"),
        (#"{"issuer": "https://login.example.com"}"#, "expected 'issuer' and 'audience'"),
        (#"{"audience": "notes"}"#, "expected 'issuer' and 'audience'"),
        (#"{"issuer": "https://login.example.com", "audience": ""}"#, "'audience' must be a text"),
        (#"{"issuer": 1, "audience": "notes"}"#, "'issuer' must be a text"),
        (#"{"issuer": "https://login.example.com", "audience": ["notes"]}"#, "'audience' must be a text"),
        (#"{"development": "yes"}"#, "'development' must be true or false"), (#"{"development": 1}"#, "must be true"),
        (#"{"develop": true}"#, "unknown member 'develop'"), (#""https://login.example.com""#, "must be an object"),
        (#"{"issuer": "https://login.example.com", "audience": "a", "secret": "s"}"#, "unknown member 'secret'"),
        ("null", "must be an object"), ("[]", "must be an object"),
    ])
    func `a member that is missing, unknown or of another type is named`(json: String, reason: String) throws {
        #expect(try refusal(identity: json).contains(reason))
    }

    @Test(arguments: [
        "http://login.example.com", "login.example.com", "https://", "ftp://localhost", "https://login.example.com/?a",
        "https://login.example.com/#a", "https://user:secret@login.example.com", "https://login.example.com/ ",
        "urn:almanac:development:a",
    ])
    func `an issuer must be an address that can be trusted`(issuer: String) throws {
        let reason = try refusal(identity: #"{"issuer": "\#(issuer)", "audience": "notes"}"#)
        #expect(reason.hasPrefix("in 'a.identity': 'issuer' must be an https:// URL"))
        #expect(!reason.contains("secret"))
    }

    @Test func `two environments may share an issuer, not an audience of it`() throws {
        func file(_ first: String, _ second: String) -> String {
            func environment(_ audience: String) -> String {
                #"{"database": "dbname=a", "identity": {"issuer": "https://login.example.com", "#
                    + #""audience": "\#(audience)"}}"#
            }
            return #"{"a": \#(environment(first)), "b": \#(environment(second)), "c": {"database": "dbname=c"}}"#
        }
        #expect(try load(file("one", "two")).count == 3)
        let reason = try refusal(file("one", "one"))
        #expect(reason.hasPrefix("'a' and 'b' have the same issuer and audience"))
        let both = #"{"database": "dbname=a", "identity": {"development": true}}"#
        #expect(try load(#"{"a": \#(both), "b": \#(both)}"#).count == 2)
    }
}
