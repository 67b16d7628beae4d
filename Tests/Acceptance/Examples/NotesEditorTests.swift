import AlmanacJSON
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    /// Tests of the AlmanacNotes example in two terminals.
    @Suite struct NotesEditorTests {
        private let folder: TemporaryFolder
        private let user: NotesUser

        init() throws {
            folder = try TemporaryFolder()
            user = try NotesUser("editor")
            try folder.write("token", Array(user.token.utf8))
        }

        private func start(_ device: String, server: String? = nil) throws -> PseudoTerminal {
            try ExampleProgram.start(
                "AlmanacNotesEditor",
                [
                    "\(server ?? user.instance.url)/development", folder.path + "/token",
                    folder.path + "/\(device).db",
                ])
        }

        @Test func `two terminals edit the same note, and each caret stays in its place`() throws {
            let phone = try start("phone")
            #expect(phone.shows { $0.contains("A note in two terminals") })
            phone.type("milk\rbread")
            #expect(phone.shows { $0.contains("milk\nbread") && $0.contains("on the server, synced") })
            let laptop = try start("laptop")
            #expect(laptop.shows { $0.contains("milk\nbread") })

            // The phone's caret is at the end of the last line, the laptop's at the start of the text.
            laptop.type("\u{1B}[A\u{1B}[H")
            laptop.type("oat ")
            #expect(phone.shows { $0.contains("oat milk\nbread") })
            phone.type(" and jam")
            laptop.type("more ")
            #expect(phone.shows { $0.contains("oat more milk\nbread and jam") })
            #expect(laptop.shows { $0.contains("oat more milk\nbread and jam") })
            phone.type("\u{7F}\u{7F}\u{7F}tea")
            #expect(laptop.shows { $0.contains("bread and tea") })

            for terminal in [phone, laptop] {
                terminal.type("\u{11}")
                #expect(terminal.wait(upTo: .seconds(10)) == 0)
                #expect(terminal.isCooked)
            }
            #expect(try user.onlyBody() == "oat more milk\nbread and tea")
        }

        @Test func `text typed without a network, in a program that was killed, arrives later`() throws {
            let first = try start("phone")
            #expect(first.shows { $0.contains("A note in two terminals") })
            first.type("milk")
            #expect(first.shows { $0.contains("milk") && $0.contains("on the server, synced") })
            try user.instance.run("--stop-service", "nginx")
            first.type(" and bread")
            #expect(first.shows { $0.contains("milk and bread") && $0.contains("on this device, offline") })
            first.send(signal: SIGKILL)
            #expect(first.wait(upTo: .seconds(10)) == 128 + SIGKILL)

            let second = try start("phone")
            #expect(second.shows { $0.contains("milk and bread") && $0.contains("on this device, offline") })
            try user.instance.run("--start-service", "nginx")
            second.type("\u{12}")
            #expect(second.shows { $0.contains("on the server, synced") })
            #expect(try user.onlyBody() == "milk and bread")
            second.send(signal: SIGTERM)
            #expect(second.wait(upTo: .seconds(10)) == 0)
            #expect(second.isCooked)
        }
    }
}

extension NotesUser {
    /// Returns the body of this user's only note on the server.
    fileprivate func onlyBody() throws -> String? {
        let answer = try client().send("GET", "notes")
        let details = try #require(try answer.json().objectValue?["details"]?.objectValue).members
        return details.count == 1 ? details[0].value.objectValue?["body"]?.stringValue : nil
    }
}
