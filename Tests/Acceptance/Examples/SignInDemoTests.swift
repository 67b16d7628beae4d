import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    /// Tests of the AlmanacSignIn example in a terminal, with the real provider of the tests.
    @Suite struct SignInDemoTests {
        private let folder: TemporaryFolder
        private var file: String { folder.path + "/demo.tokens" }

        init() throws {
            folder = try TemporaryFolder()
        }

        private func start() throws -> PseudoTerminal {
            try ExampleProgram.start("AlmanacSignInDemo", [try SignInBrowser.issuer, "notes-app", file])
        }

        @Test func `a user who signs in sees who they are, refreshes, and signs out`() throws {
            let demo = try start()
            #expect(eventually(within: .seconds(60)) { demo.written.contains("code_challenge_method=S256") })
            let page = try #require(demo.written.firstMatch(of: /http\S+code_challenge_method=S256/)?.output)
            #expect(
                try SignInBrowser.open(try SignInBrowser.signIn(at: String(page), user: "bob", password: "builder"))
                    == 200)
            #expect(
                demo.shows(within: .seconds(60)) { $0.contains("Signed in as bob") && $0.contains("for 59 minutes") })
            let first = try File.read(file)
            demo.type("r")
            #expect(demo.shows(within: .seconds(60)) { $0.contains("refreshed here: 1") })
            #expect(try File.read(file) != first)
            #expect(!demo.written.contains("accessToken"))
            demo.type("q")
            #expect(demo.wait(upTo: .seconds(20)) == 0)
            #expect(demo.isCooked)

            // The restarted demo is still signed in and opens no browser.
            let second = try start()
            #expect(second.shows { $0.contains("Signed in as bob") })
            second.type("o")
            #expect(second.wait(upTo: .seconds(60)) == 0)
            #expect(second.written.contains("the provider has ended the tokens"))
            #expect(second.isCooked)
            #expect(try !File.exists(file))
        }

        @Test func `a refresh token used twice is said on the screen`() throws {
            let demo = try start()
            #expect(eventually(within: .seconds(60)) { demo.written.contains("code_challenge_method=S256") })
            let page = try #require(demo.written.firstMatch(of: /http\S+code_challenge_method=S256/)?.output)
            try SignInBrowser.open(try SignInBrowser.signIn(at: String(page)))
            #expect(demo.shows(within: .seconds(60)) { $0.contains("Signed in as alice") })
            let old = try File.read(file)
            demo.type("r")
            #expect(demo.shows(within: .seconds(60)) { $0.contains("refreshed here: 1") })
            try File.replace(file, contents: old, permissions: 0o600)
            demo.type("r")
            #expect(demo.shows(within: .seconds(60)) { $0.contains("alice has to sign in again") })
            demo.send(signal: SIGTERM)
            #expect(demo.wait(upTo: .seconds(20)) == 0)
        }
    }
}
