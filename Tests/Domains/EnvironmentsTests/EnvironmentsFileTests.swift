import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacEnvironments

@Suite struct EnvironmentsFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func load(_ json: String) throws -> [EnvironmentSettings] {
        try EnvironmentsFile.load(try folder.write("environments.json", json.utf8))
    }

    @Test func `every member is read`() throws {
        let password = try folder.write("owner.password", "hunter2".utf8)
        let environments = try load(
            """
            {"production": {
                "database": "host=db1 dbname=almanac_production user=almanac_worker password=sesame",
                "owner": {"database": "host=db1 dbname=almanac_production user=almanac_owner",
                          "password_file": "\(password)"},
                "identity": {"issuer": "https://login.example.com/", "audience": "https://notes.example.com"},
                "config_read": "public",
                "origins": ["https://app.example.com", "http://localhost:3000", "http://[::1]:8080"],
                "limits": {"body_bytes": 1024, "depth": 512, "entries": 1, "value_bytes": 67108864,
                    "flag_set_bytes": 10,
                    "note_title_bytes": 1, "note_body_bytes": 2, "notes": 3, "account_bytes": 4, "batch_actions": 5,
                    "attachment_bytes": 104857600, "attachment_preview_bytes": 6, "attachments": 7,
                    "attachments_bytes": 8, "attachment_uploads": 9}}}
            """)
        let production = try #require(environments.first)
        #expect(environments.count == 1)
        #expect(production.name.text == "production")
        #expect(
            production.database
                == ConnectionSettings(
                    conninfo: "host=db1 dbname=almanac_production user=almanac_worker password=sesame"))
        #expect(
            production.owner
                == ConnectionSettings(
                    conninfo: "host=db1 dbname=almanac_production user=almanac_owner", password: "hunter2"))
        #expect(production.configRead == .everyone)
        #expect(production.origins == ["https://app.example.com", "http://localhost:3000", "http://[::1]:8080"])
        var limits = Limits()
        (limits.bodyBytes, limits.depth, limits.entries, limits.valueBytes) = (1024, 512, 1, 67_108_864)
        (limits.flagSetBytes, limits.noteTitleBytes, limits.noteBodyBytes, limits.notes) = (10, 1, 2, 3)
        (limits.accountBytes, limits.batchActions) = (4, 5)
        (limits.attachmentBytes, limits.attachmentPreviewBytes) = (100 << 20, 6)
        (limits.attachments, limits.attachmentsBytes, limits.attachmentUploads) = (7, 8, 9)
        #expect(production.limits == limits)
        #expect(production.attachmentsFolder == "\(folder.path)/attachments")
    }

    @Test func `a setting that is left out takes the closed default`() throws {
        let environments = try load(
            #"{"b": {"database": "dbname=b"}, "a": {"database": "postgresql://host/a", "limits": {"depth": 3}}}"#)
        #expect(environments.map(\.name.text) == ["b", "a"])
        #expect(environments[0].configRead == .token)
        #expect(environments[0].origins.isEmpty)
        #expect(environments[0].limits == Limits())
        #expect(environments[1].limits.depth == 3)
        #expect(environments[1].limits.entries == Limits().entries)
    }

    @Test func `attachments are beside the environments file, or where the package or the operator puts them`() {
        for (file, override, place) in [
            ("/home/me/.almanac/environments.json", nil, "/home/me/.almanac/attachments"),
            ("environments.json", nil, "attachments"),
            ("/etc/almanac/environments.json", nil, "/var/lib/almanac/attachments"),
            ("/etc/almanac/environments.json", "/mnt/files", "/mnt/files"),
        ] as [(String, String?, String)] {
            #expect(EnvironmentSettings.attachmentsFolder(environmentsFile: file, override: override) == place)
        }
    }

    @Test func `without an owner the worker's login is the owner's`() throws {
        let password = try folder.write("p", "hunter2\n".utf8)
        let settings = try load(#"{"a": {"database": "dbname=a", "password_file": "\#(password)"}}"#)[0]
        #expect(settings.owner == settings.database)
        #expect(settings.owner == ConnectionSettings(conninfo: "dbname=a", password: "hunter2"))
    }

    @Test(arguments: ["hunter2", "hunter2\n", "hunter2\r\n", "hunter2\nsecond line\n"])
    func `the password is the first line of its file`(contents: String) throws {
        let password = try folder.write("p", contents.utf8)
        let settings = try load(#"{"a": {"database": "dbname=a", "password_file": "\#(password)"}}"#)[0]
        #expect(settings.database == ConnectionSettings(conninfo: "dbname=a", password: "hunter2"))
    }

    @Test(arguments: [[], [10], [10, 97], [0xff, 97], [97, 0, 98], Array(repeating: 97, count: 5000)] as [[UInt8]])
    func `a password file without a password is refused`(contents: [UInt8]) throws {
        let password = try folder.write("p", contents)
        let failure = try failure(#"{"a": {"database": "dbname=a", "password_file": "\#(password)"}}"#)
        #expect(failure.contains(password))
        #expect(failure.contains("'a'"))
    }

    @Test(
        arguments: [
            (#"{"a": 1}"#, ["'a'"]),
            (#"{"a": {}}"#, ["'a'", "'database'"]),
            (#"{"a": {"database": 5}}"#, ["'a'", "'database'"]),
            (#"{"a": {"database": ""}}"#, ["'a'", "'database'"]),
            (#"{"a": {"database": "dbnam=a"}}"#, ["'a'", "'database'"]),
            (#"{"a": {"database": "dbname=a", "confg_read": "public"}}"#, ["'a'", "'confg_read'", "config_read"]),
            (#"{"a": {"database": "dbname=a", "password_file": "/nowhere"}}"#, ["'a'", "/nowhere", "No such file"]),
            (#"{"a": {"database": "dbname=a", "password_file": 5}}"#, ["'a'", "'password_file'"]),
            (#"{"a": {"database": "dbname=a", "owner": "dbname=a"}}"#, ["'a.owner'"]),
            (#"{"a": {"database": "dbname=a", "owner": {}}}"#, ["'a.owner'", "'database'"]),
            (#"{"a": {"database": "dbname=a", "owner": {"database": "x", "limits": {}}}}"#, ["'a.owner'", "'limits'"]),
            (#"{"a": {"database": "dbname=a", "identity": true}}"#, ["'a.identity'"]),
            (#"{"a": {"database": "dbname=a", "config_read": "everyone"}}"#, ["'a'", "'config_read'", "\"public\""]),
            (#"{"a": {"database": "dbname=a", "config_read": true}}"#, ["'a'", "'config_read'"]),
            (#"{"a": {"database": "dbname=a", "origins": "https://x"}}"#, ["'a'", "'origins'"]),
            (#"{"a": {"database": "dbname=a", "origins": [1]}}"#, ["'a'", "'origins'"]),
            (#"{"a": {"database": "dbname=a", "limits": []}}"#, ["'a.limits'"]),
            (#"{"a": {"database": "dbname=a", "limits": {"deepth": 3}}}"#, ["'a.limits'", "'deepth'", "depth"]),
            (#"{"a": {"database": "dbname=a", "limits": {"depth": 0}}}"#, ["'a.limits'", "'depth'", "1 to 512"]),
            (#"{"a": {"database": "dbname=a", "limits": {"depth": 513}}}"#, ["'a.limits'", "'depth'"]),
            (#"{"a": {"database": "dbname=a", "limits": {"depth": 2.5}}}"#, ["'a.limits'", "'depth'"]),
            (#"{"a": {"database": "dbname=a", "limits": {"depth": "3"}}}"#, ["'a.limits'", "'depth'"]),
            (#"{"a": {"database": "dbname=a", "limits": {"body_bytes": 1023}}}"#, ["'a.limits'", "'body_bytes'"]),
            (#"{"a": {"database": "dbname=a", "limits": {"entries": 1000001}}}"#, ["'a.limits'", "'entries'"]),
            (#"{"a": {"database": "dbname=a", "limits": {"value_bytes": 0}}}"#, ["'a.limits'", "'value_bytes'"]),
            (#"{"a": {"database": "dbname=a", "limits": {"entries": 99999999999999999999}}}"#, ["'entries'"]),
            (#"{"a": {"database": "dbname=a", "limits": {"notes": 0}}}"#, ["'a.limits'", "'notes'"]),
            (#"{"a": {"database": "dbname=a", "limits": {"account_bytes": 0}}}"#, ["'account_bytes'"]),
            (#"{"a": {"database": "dbname=a", "limits": {"history_bytes": -1}}}"#, ["'history_bytes'"]),
            (#"{"a": {"database": "dbname=a", "limits": {"batch_actions": 10001}}}"#, ["'batch_actions'"]),
            (#"{"a": {"database": "dbname=a", "limits": {"attachment_bytes": 104857601}}}"#, ["'attachment_bytes'"]),
            (#"{"A": {"database": "dbname=a"}}"#, ["'A'", EnvironmentName.form]),
            (#"{"-": {"database": "dbname=a"}}"#, ["'-'"]),
            (#"{"a": {"database": "dbname=a"}, "a": {"database": "dbname=b"}}"#, ["\"a\"", "two members"]),
            (#"{"a": {"database": "dbname=a", "database": "dbname=b"}}"#, ["\"database\"", "two members"]),
            ("{}", ["member per environment"]), ("[]", ["member per environment"]), ("", ["empty"]),
            ("{\"a\": {\n\"database\" \"dbname=a\"}}", ["line 2", "':' expected"]), ("{\"a\": nul}", ["line 1"]),
        ])
    func `a broken file is refused with its path and what is wrong where`(json: String, named: [String]) throws {
        let failure = try failure(json)
        #expect(failure.contains("\(folder.path)/environments.json"))
        #expect(!failure.contains("\n"))
        for name in named { #expect(failure.contains(name), "\(failure)") }
    }

    @Test(arguments: [
        "app.example.com", "https://", "https://app.example.com/", "https://app.example.com/path", "ftp://x", "*",
        "null",
        "https://App.example.com", "https://user@x", "https://a b", "https:/x", "",
    ])
    func `an origin that no browser sends is refused`(origin: String) throws {
        let failure = try failure(#"{"a": {"database": "dbname=a", "origins": ["https://ok", "\#(origin)"]}}"#)
        #expect(failure.contains("'a'"))
        #expect(failure.contains("'origins' contains '\(origin)'"))
    }

    @Test func `a file that isn't there is named`() throws {
        let path = "\(folder.path)/nothing.json"
        let failure = #expect(throws: EnvironmentsFailure.self) { try EnvironmentsFile.load(path) }
        #expect(failure?.path == path)
        #expect(failure?.description.contains(path) == true)
        #expect(failure?.description.contains("No such file") == true)
    }

    @Test(arguments: [
        // JSON that the parser rejects at the string with the password.
        #"{"a": {"database" "host=x password=hunter2"}}"#,
        #"{"a": {"database": "host=x password=hunter2}}"#,
        #"{"a": {"database": "host=x password=hunter2\q"}}"#,
        #"{"a": {"database": 5 "host=x password=hunter2"}}"#,
        #"{"a": {"database": 'host=x password=hunter2'}}"#,
        #"{"a": {"database": hunter2}}"#,
        "{\"a\": {\"database\": \"host=x password=hunter2\n\"}}",
        #""host=x password=hunter2""#,
        #"{"a": {"database": "dbname=a"}} "hunter2""#,
        // Strings that libpq rejects.
        #"{"a": {"database": "host=x password=hunter2 sslmod=require"}}"#,
        #"{"a": {"database": "host=x password hunter2"}}"#,
        #"{"a": {"database": "host=x password='hunter2"}}"#,
        #"{"a": {"database": "postgresql://user:hunter2%zz@host/db"}}"#,
        #"{"a": {"database": "postgresql://user:p@hunter2@host/db"}}"#,
        // An error in another member.
        #"{"a": {"database": "host=x password=hunter2", "config_read": 1}}"#,
        #"{"a": {"database": ["host=x password=hunter2"]}}"#,
        #"{"a": {"database": "dbname=a", "owner": {"database": "passwort=hunter2"}}}"#,
    ])
    func `no error repeats a password`(json: String) throws {
        let path = try folder.write("environments.json", json.utf8)
        let failure = #expect(throws: EnvironmentsFailure.self) { try EnvironmentsFile.load(path) }
        for text in texts(of: failure) { #expect(!text.contains("hunter2")) }
    }

    @Test func `no description of settings repeats a password`() throws {
        let password = try folder.write("p", "hunter3".utf8)
        let settings = try load(
            #"""
            {"a": {"database": "host=x password=hunter2 dbname=a", "password_file": "\#(password)",
                   "owner": {"database": "postgresql://o:hunter4@x/a"}}}
            """#)[0]
        let texts = texts(of: settings)
        #expect(texts.allSatisfy { $0.contains("dbname=a") })
        for password in ["hunter2", "hunter3", "hunter4"] { #expect(!texts.joined().contains(password)) }
    }

    /// Returns the one-line error that an operator reads.
    private func failure(_ json: String) throws -> String {
        try #require(#expect(throws: EnvironmentsFailure.self) { try load(json) }).description
    }

    /// Returns every form in which a value may reach a log.
    private func texts(of value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }
}
