import AlmanacEnvironments
import AlmanacHTTPSClient
import AlmanacTestSupport
import Testing

@Suite struct AttachmentSettingsTests {
    private let folder: TemporaryFolder
    private let secretFile: String

    init() throws {
        folder = try TemporaryFolder()
        secretFile = try folder.write("secret", "wJalr/EXAMPLE\n".utf8)
    }

    private func load(_ json: String, for reader: EnvironmentsFile.FileReader = .worker) throws -> AttachmentSettings {
        let text = #"{"a": {"database": "dbname=a", "attachments": \#(json)}}"#
        return try EnvironmentsFile.load(folder.write("environments.json", text.utf8), for: reader)[0].attachments
    }

    private func refusal(_ json: String) throws -> String {
        try #require(throws: EnvironmentsFailure.self) { try load(json) }.reason
    }

    private func bucket(_ members: String = "", endpoint: String = "https://s3.example.com") -> String {
        #"{"endpoint": "\#(endpoint)", "bucket": "notes", "key_id": "AKIA", "#
            + #""secret_file": "\#(secretFile)"\#(members)}"#
    }

    @Test func `new bytes go to the folder by default`() throws {
        #expect(try load("{}") == AttachmentSettings(store: .folder, s3: nil))
        #expect(try load(#"{"store": "folder", "s3": \#(bucket())}"#).s3?.bucket == "notes")
    }

    @Test func `a bucket is read with its secret, which is never shown`() throws {
        let members = #", "region": "eu-central-1", "prefix": "almanac/files/", "ca_file": "/etc/ca.pem""#
        let settings = try load(#"{"store": "s3", "s3": \#(bucket(members))}"#)
        let expected = S3Settings(
            endpoint: try #require(WebAddress("https://s3.example.com")), region: "eu-central-1", bucket: "notes",
            prefix: "almanac/files/", keyID: "AKIA", secretFile: secretFile,
            secret: ClientSecret(text: "wJalr/EXAMPLE"), caFile: "/etc/ca.pem")
        #expect(settings == AttachmentSettings(store: .s3, s3: expected))
        #expect(!"\(settings)".contains("wJalr"))
        #expect(!String(reflecting: settings).contains("wJalr"))
    }

    @Test func `only a worker needs the secret`() throws {
        let json = #"{"s3": \#(bucket().replacing("/secret\"", with: "/missing\""))}"#
        #expect(try refusal(json).contains("cannot read the secret key"))
        #expect(try load(json, for: .owner).s3?.secret == nil)
    }

    @Test(arguments: [
        (#"{"store": "tape"}"#, "'store' must be"), (#"{"store": "s3"}"#, "needs the member 's3'"),
        (#"{"bucket": "notes"}"#, "unknown member 'bucket'"), (#"{"s3": {}}"#, "expected 'endpoint', 'bucket'"),
    ])
    func `an incomplete section is refused`(json: String, expected: String) throws {
        #expect(try refusal(json).contains(expected))
    }

    @Test(arguments: [
        ("http://s3.example.com", "", "'endpoint'"), ("https://s3.example.com?x=1", "", "'endpoint'"),
        ("https://s3.example.com/%20", "", "'endpoint'"), ("https://s3.example.com", #", "region": "a/b""#, "'region'"),
        ("https://s3.example.com", #", "prefix": "files""#, "'prefix'"),
        ("https://s3.example.com", #", "prefix": "../""#, "'prefix'"),
    ])
    func `a bucket with a part that needs encoding is refused`(
        endpoint: String, members: String, expected: String
    ) throws {
        #expect(try refusal(#"{"s3": \#(bucket(members, endpoint: endpoint))}"#).contains(expected))
    }

    @Test func `an empty secret and a bucket's wrong name are refused`() throws {
        #expect(try refusal(#"{"s3": \#(bucket().replacing("\"notes\"", with: "\"No_Tes\""))}"#).contains("'bucket'"))
        try folder.write("secret", "\n".utf8)
        #expect(try refusal(#"{"s3": \#(bucket())}"#).contains("must be a secret key"))
    }
}
