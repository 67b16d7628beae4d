import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    /// Tests of the AlmanacConfig example in a terminal.
    @Suite struct ColourDemoTests {
        private let folder: TemporaryFolder
        private let development: LiveEnvironment

        init() throws {
            folder = try TemporaryFolder()
            development = try LiveEnvironment("development")
        }

        private func start(_ server: String? = nil) throws -> PseudoTerminal {
            let server = server ?? development.instance.url
            return try ExampleProgram.start(
                "AlmanacColourDemo", ["\(server)/development", folder.path + "/demo-cache"])
        }

        @Test func `the button changes while it is looked at, and keeps its look without a network`() throws {
            try development.reset(to: ["app.background.color": "#010203", "app.fun_button.text": "Purr"])
            let demo = try start()
            #expect(demo.shows { $0.contains("[ Purr ]") && $0.contains("from the server") })
            #expect(demo.written.contains("\u{1B}[48;2;1;2;3m"))
            let client = development.client()
            #expect(try client.put(development.path("config/app.fun_button.text"), "Meeow! 😸").status == 200)
            #expect(demo.shows { $0.contains("[ Meeow! 😸 ]") })
            #expect(try client.put(development.path("config/app.background.color"), "#FF0000").status == 200)
            #expect(eventually(within: .seconds(20)) { demo.written.contains("\u{1B}[48;2;255;0;0m") })
            // A deleted key falls back to the demo's default.
            #expect(try client.send("DELETE", development.path("config/app.background.color")).status == 200)
            #expect(eventually(within: .seconds(20)) { demo.written.contains("\u{1B}[48;2;127;179;213m") })
            demo.type("\r")
            #expect(demo.shows { $0.contains("opens https://www.example.com") })
            demo.type("q")
            #expect(demo.wait(upTo: .seconds(10)) == 0)
            #expect(demo.isCooked)

            let offline = try start("http://127.0.0.1:1")
            #expect(offline.shows { $0.contains("offline") })
            // Another server has another cache, so the demo shows its defaults.
            #expect(offline.screen.contains("[ Meow ]"))
            offline.type("q")
            #expect(offline.wait(upTo: .seconds(10)) == 0)
        }

        @Test func `on a full disk the values are there all the same, and those of the last run stay`() throws {
            try development.reset(to: ["app.fun_button.text": "Purr"])
            let first = try start()
            #expect(first.shows { $0.contains("[ Purr ]") && $0.contains("from the server") })
            first.type("q")
            #expect(first.wait(upTo: .seconds(10)) == 0)

            try development.reset(to: [
                "app.fun_button.text": "Hiss", "large": .string(String(repeating: "x", count: 20_000)),
            ])
            let full = try ExampleProgram.start(
                "AlmanacColourDemo", ["\(development.instance.url)/development", folder.path + "/demo-cache"],
                largestFile: 4)
            #expect(full.shows { $0.contains("[ Hiss ]") && $0.contains("from the server") })
            full.type("q")
            #expect(full.wait(upTo: .seconds(10)) == 0)
            let files = try File.names(inFolder: folder.path + "/demo-cache")
            #expect(files.count == 1)
            #expect(try File.read("\(folder.path)/demo-cache/\(files[0])").count < 4096)

            try development.instance.run("--stop-service", "nginx")
            let offline = try start()
            #expect(offline.shows { $0.contains("[ Purr ]") && $0.contains("kept from the last run") })
            offline.type("q")
            #expect(offline.wait(upTo: .seconds(10)) == 0)
            try development.instance.run("--start-service", "nginx")
        }

        @Test func `a label can't command the terminal, and a small terminal is enough`() throws {
            try development.reset(to: ["app.fun_button.text": "a\u{1B}[31mb\nc"])
            let demo = try start()
            #expect(demo.shows { $0.contains("[ a·[31mb·c ]") })
            demo.resize(columns: 12, rows: 3)
            #expect(demo.shows { $0.contains("[ a·[31mb·c") && $0.split(separator: "\n").count == 3 })
            demo.send(signal: SIGTERM)
            #expect(demo.wait(upTo: .seconds(10)) == 0)
            #expect(demo.isCooked)
        }

        @Test func `without a terminal the demo says what it expected`() throws {
            let outcome = try Command.run(ExampleProgram.path("AlmanacColourDemo"), ["http://localhost:1/x", "cache"])
            #expect(outcome.status == 1)
            #expect(outcome.output == "expected a terminal as standard input and output\n")
        }
    }
}
