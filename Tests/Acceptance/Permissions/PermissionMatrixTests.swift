import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests that each call refuses and admits the callers that the table names, for each role and way to sign in.
    @Suite struct PermissionMatrixTests {
        private static let name = "matrix"

        private func database(of instance: Instance) throws -> Connection {
            let file = try JSONValue(parsing: File.read(instance.path("environments.json"))).objectValue
            let words = file?[Self.name]?.objectValue?["database"]?.stringValue?.split(separator: " ") ?? []
            let name = try #require(words.first { $0.hasPrefix("dbname=") })
            return try Connection(ConnectionSettings(conninfo: "\(TestCluster.conninfo) \(name)"))
        }

        @Test func `each call admits the roles that its row names, by every way to sign in, and each call has a row`()
            throws
        {
            let operations = try OpenAPIDocument(OpenAPIDocument.text()).operations.map { "\($0.method) \($0.path)" }
            #expect(Set(operations) == Set(PermissionRequest.all.map(\.operation)))
            try AddedEnvironment.with(Self.name, ["identity": ["development": true]]) { instance in
                let admin = try CommandLineProgram().output(
                    "token", "create", Self.name, "--scope", "admin", "--label", "matrix", "--owner", "ada",
                    "--owner-name", "Ada")
                let callers = try PermissionCaller.all(
                    in: Self.name, of: instance, admin: admin.filter { !$0.isWhitespace }, database(of: instance))
                let names = [
                    "environment": Self.name, "other": "development", "major": "99", "revision": "1", "id": "absent",
                ]
                for request in PermissionRequest.all {
                    for caller in callers {
                        let answer = try caller.send(request, names)
                        let expected = request.permission.outcome(for: caller.role, caller.way)
                        #expect(
                            Permission.Outcome(status: answer.status) == expected && answer.status < 500
                                && answer.status != 429,
                            """
                            \(request.operation)?\(request.query) by \(caller.role) with \(caller.way): expected \
                            \(expected), got \(answer.status) \(answer.text.prefix(200))
                            """)
                    }
                }
            }
        }
    }
}
