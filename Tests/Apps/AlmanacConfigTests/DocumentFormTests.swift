import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct DocumentFormTests {
    private struct Theme: Codable, Sendable, Equatable {
        var color: String
        var size: Int
    }

    private static let bundled = Theme(color: "red", size: 1)

    @Test func `an app's decoder reads what the loader says the form is, also after a restart`() async throws {
        let folder = try TemporaryFolder()
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        let text = String(decoding: try encoder.encode(Theme(color: "blue", size: 2)), as: UTF8.self)
        let server = try AppServer { request, connection in
            #expect(request.headers["accept"] == "application/x-plist")
            connection.answer("200 OK", ["Content-Type: application/x-plist"], text)
        }
        let loader = ConfigDocumentURLLoader(
            url: try #require(URL(string: "\(server.environment)/theme")),
            headers: [(name: "accept", value: "application/x-plist")])
        let decode: @Sendable (LoadedConfigDocument) throws -> Theme = { document in
            guard document.type == "application/x-plist" else { return try ConfigDocument.json(document) }
            return try PropertyListDecoder().decode(Theme.self, from: Data(document.bytes))
        }
        let cache = ConfigDocumentFileCache(file: URL(filePath: "\(folder.path)/theme"))
        let document = ConfigDocument(Self.bundled, cache: cache, loader: loader, decode: decode)
        try await document.update()
        #expect(document.value == Theme(color: "blue", size: 2))
        #expect(ConfigDocument(Self.bundled, cache: cache, loader: loader, decode: decode).value.size == 2)
        #expect(
            try ConfigDocument.validate(bundled: #"{"color":"green","size":3}"#.utf8, decode: decode).color == "green")
    }

    @Test func `why a document does not decode is said once`() {
        for (text, reason) in [
            (#"{"color":"red"}"#, "size is missing"),
            (#"{"color":1,"size":2}"#, "color: Expected to decode String but found number instead."),
        ] {
            #expect(throws: ConfigFailure.invalidValue("expected a document that decodes: \(reason)")) {
                try ConfigDocument<Theme>.validate(bundled: text.utf8)
            }
        }
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nETag: \"1", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"color\":"])
    func `a document that stops half way is given up, and the old value stays`(sent: String) async throws {
        let server = try AppServer { _, connection in
            connection.send(sent)
            connection.waitForClose()
        }
        let loader = ConfigDocumentURLLoader(
            url: try #require(URL(string: server.environment)), timeout: .milliseconds(300))
        let document = ConfigDocument(Self.bundled, loader: loader)
        await #expect(throws: ConfigFailure.timedOut) { try await document.update() }
        #expect(document.value == Self.bundled)
        let settings = try SettingsStore { ReadOnlySetting("size", default: 1) }
        let source = ConfigClientSource(ConfigClient(try options(server)))
        let results = await settings.update(from: [source])
        #expect(throws: ConfigFailure.timedOut) { try results[0].outcome.get() }
        #expect(settings["size"] == 1)
    }

    private func options(_ server: AppServer) throws -> ConfigOptions {
        var options = try Sandbox().options(server.environment)
        options.timeout = .milliseconds(300)
        return options
    }

    @Test func `the updates begin with what is there, and go on with each newer document`() async throws {
        let number = Mutex(1)
        let server = try AppServer { _, connection in
            let size = number.withLock { number in
                defer { number += 1 }
                return number
            }
            connection.answer("200 OK", [], size == 2 ? "<html>" : #"{"color":"blue","size":\#(size)}"#)
        }
        let loader = ConfigDocumentURLLoader(url: try #require(URL(string: server.environment)))
        var document: ConfigDocument<Theme>? = ConfigDocument(Self.bundled, loader: loader)
        var updates = try #require(document?.updates).makeAsyncIterator()
        #expect(await updates.next() == Self.bundled)
        try await document?.update()
        #expect(await updates.next()?.size == 1)
        _ = try? await document?.update()
        try await document?.update()
        #expect(await updates.next()?.size == 3)
        document = nil
        #expect(await updates.next() == nil)
    }

    @Test func `a document of any address is asked for again and again while it is followed`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            if request.headers["if-none-match"] == "\"2\"" { return connection.answer("304 Not Modified") }
            let size = request.headers["if-none-match"] == "\"1\"" ? 2 : 1
            connection.answer("200 OK", ["ETag: \"\(size)\""], #"{"color":"blue","size":\#(size)}"#)
        }
        let loader = ConfigDocumentURLLoader(
            url: try #require(URL(string: server.environment)), every: .seconds(10), clock: sandbox.clock)
        let document = ConfigDocument(Theme(color: "red", size: 0), loader: loader)
        let time = sandbox.clock.passTime()
        defer { time.cancel() }
        let following = Task { await document.follow() }
        for await theme in document.updates where theme.size == 2 { break }
        #expect(try await server.waits { $0.count > 3 })
        await following.cancelAndWait()
    }

    @Test func `a document of an environment follows its stream`() async throws {
        let sandbox = try Sandbox()
        let isChanged = Gate()
        let revision = Mutex(1)
        let server = try AppServer { request, connection in
            let now = revision.withLock { $0 }
            if request.path == "/test/events" {
                connection.begin(["Content-Type: text/event-stream"])
                connection.send("data: {\"type\":\"hello\",\"config\":\"\(now).aaaa\"}\n\n")
                if now == 1 {
                    isChanged.wait()
                    connection.send("data: {\"type\":\"refetchEvaluation\",\"etag\":\"\\\"2.aaaa\\\"\"}\n\n")
                }
                return connection.waitForClose()
            }
            connection.answer("200 OK", ["ETag: \"\(now)\""], #"{"color":"blue","size":\#(now)}"#)
        }
        let document = ConfigDocument(
            Theme(color: "red", size: 0),
            loader: ConfigDocumentEnvironmentLoader(sandbox.options(server.environment, version: "1")))
        let following = Task { await document.follow() }
        var updates = document.updates.makeAsyncIterator()
        while try #require(await updates.next()).size != 1 {}
        #expect(server.requests.contains { $0.path == "/test/config.json?nested=true&version=1" })
        #expect(try await server.waits { $0.contains { $0.path == "/test/events" } })
        revision.withLock { $0 = 2 }
        isChanged.open()
        while try #require(await updates.next()).size != 2 {}
        await following.cancelAndWait()
        #expect(document.failure == nil)
    }
}
