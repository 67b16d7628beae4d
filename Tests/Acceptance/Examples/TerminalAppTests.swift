import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of the app with two screens, in two terminals.
    @Suite struct TerminalAppTests {
        private let folder: TemporaryFolder
        private let development: LiveEnvironment
        private let user: NotesUser

        init() throws {
            folder = try TemporaryFolder()
            development = try LiveEnvironment("development")
            user = try NotesUser("terminal")
            try folder.write("token", Array(user.token.utf8))
        }

        private func start(_ device: String) throws -> PseudoTerminal {
            // The app stores its settings in the home folder.
            try PseudoTerminal(
                ExampleProgram.path("AlmanacTerminalApp"),
                ["\(user.instance.url)/development", folder.path + "/token", folder.path + "/\(device)"],
                environment: ["ALMANAC_CA_FILE": user.instance.caFile, "HOME": folder.path + "/\(device)"])
        }

        @Test func `settings, a live colour and notes are the same in two terminals`() throws {
            try development.reset(to: ["app.title": "Player", "app.background.color": "#010203"])
            let (phone, laptop) = (try start("phone"), try start("laptop"))
            for terminal in [phone, laptop] {
                #expect(terminal.shows { $0.contains("Player") && $0.contains("everything is on the server") })
            }
            #expect(eventually(within: .seconds(20)) { phone.written.contains("\u{1B}[48;2;1;2;3m") })
            let client = development.client()
            #expect(try client.put(development.path("config/app.background.color"), "#FF0000").status == 200)
            #expect(eventually(within: .seconds(20)) { laptop.written.contains("\u{1B}[48;2;255;0;0m") })

            phone.type("\u{14}")
            #expect(phone.shows { $0.contains("(mute)") })
            phone.type("\u{14}\u{0E}Groceries")
            #expect(phone.shows { !$0.contains("(mute)") && $0.contains("> Groceries · on the server") })
            #expect(laptop.shows { $0.contains("Groceries · on the server") })
            laptop.type("\u{1B}[B!")
            #expect(phone.shows { $0.contains("> Groceries! · on the server") })
            for terminal in [phone, laptop] {
                terminal.type("\u{11}")
                #expect(terminal.wait(upTo: .seconds(10)) == 0)
                #expect(terminal.isCooked)
            }
        }
    }
}
