import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests that each call refuses and admits the callers that the table names, for each role and way to sign in.
    @Suite struct PermissionMatrixTests {
        private static let name = "matrix"

        @Test func `each call admits the roles that its row names, by every way to sign in, and each call has a row`()
            throws
        {
            let operations = try OpenAPIDocument(OpenAPIDocument.text()).operations.map { "\($0.method) \($0.path)" }
            #expect(Set(operations) == Set(PermissionRequest.all.map(\.operation)))
            try AddedEnvironment.with(Self.name, ["identity": ["development": true]]) { instance in
                let admin = try CommandLineProgram().output(
                    "token", "create", Self.name, "--scope", "admin", "--scope", "config:approve", "--label", "matrix",
                    "--owner", "ada", "--owner-name", "Ada")
                let callers = try PermissionCaller.all(
                    in: Self.name, of: instance, admin: admin.filter { !$0.isWhitespace },
                    instance.database(of: Self.name))
                let names = [
                    "environment": Self.name, "other": "development", "major": "99", "number": "99",
                    "revision": "1", "id": "absent",
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
