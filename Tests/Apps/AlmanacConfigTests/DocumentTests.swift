import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Observation
import Synchronization
import Testing

@Suite struct DocumentTests {
    struct Theme: Codable, Sendable, Equatable {
        var color: String
        var size: Int
    }

    private static let bundled = Theme(color: "red", size: 1)

    /// A loader that returns the document that a test has set.
    private final class StubLoader: ConfigDocumentLoader {
        let next = Mutex<LoadedConfigDocument?>(nil)
        let loads = Mutex(0)
        let validators = Mutex<[String?]>([])

        func load(validator: String?) async throws -> LoadedConfigDocument? {
            loads.withLock { $0 += 1 }
            validators.withLock { $0.append(validator) }
            return next.withLock { $0 }
        }

        func put(_ text: String, _ validator: String? = nil) {
            next.withLock { $0 = LoadedConfigDocument(bytes: Array(text.utf8), validator: validator) }
        }
    }

    @Test func `a new document is observed, and one that does not decode leaves the old value`() async throws {
        let loader = StubLoader()
        let document = ConfigDocument(Self.bundled, loader: loader)
        #expect(document.value == Self.bundled)
        loader.put(#"{"color":"blue","size":2}"#, "\"1\"")
        let isObserved = Mutex(false)
        withObservationTracking {
            _ = document.value
        } onChange: {
            isObserved.withLock { $0 = true }
        }
        #expect(try await document.update())
        #expect(isObserved.withLock { $0 })
        #expect(document.value == Theme(color: "blue", size: 2))
        for broken in ["<html>", #"{"color":"blue"}"#, "", #"{"color":1,"size":2}"#, "null"] {
            loader.put(broken, "\"2\"")
            await #expect(throws: ConfigFailure.self) { try await document.update() }
            #expect(document.value == Theme(color: "blue", size: 2))
            #expect(document.failure != nil)
        }
        // The validator still belongs to the stored value, so a repaired document is loaded.
        #expect(loader.validators.withLock { $0.last } == "\"1\"")
        loader.next.withLock { $0 = nil }
        #expect(try await !document.update())
        #expect(document.failure == nil)
    }

    @Test func `whoever hears of a change finds it`() async throws {
        let loader = StubLoader()
        let document = ConfigDocument(Self.bundled, loader: loader)
        let found = Mutex<Theme?>(nil)
        let failure = Mutex<ConfigFailure?>(nil)
        withObservationTracking {
            _ = document.value
        } onChange: {
            found.withLock { $0 = document.value }
        }
        loader.put(#"{"color":"blue","size":2}"#)
        try await document.update()
        #expect(found.withLock { $0 } == Theme(color: "blue", size: 2))
        withObservationTracking {
            _ = document.failure
        } onChange: {
            failure.withLock { $0 = document.failure }
        }
        loader.put("<html>")
        await #expect(throws: ConfigFailure.self) { try await document.update() }
        #expect(failure.withLock { $0 } != nil)
    }

    @Test func `a thousand updates at the same time make one request`() async throws {
        let release = Gate()
        let server = try AppServer { _, connection in
            release.wait()
            connection.answer("200 OK", ["ETag: \"1\""], #"{"color":"blue","size":2}"#)
        }
        let loader = ConfigDocumentURLLoader(url: URL(string: "\(server.environment)/config.json")!)
        let document = ConfigDocument(Self.bundled, loader: loader)
        // The main actor runs the updates in order, so all of them have joined when the next task runs.
        let updates = await MainActor.run {
            (0..<1000).map { _ in Task { @MainActor in try await document.update() } }
        }
        await MainActor.run {}
        release.open()
        for update in updates { #expect(try await update.value) }
        #expect(server.requests.count == 1)
        #expect(document.value.size == 2)
    }

    @Test func `the document of the last run is there at once, and its validator spares the body`() async throws {
        let folder = try TemporaryFolder()
        let server = try AppServer { request, connection in
            if request.headers["if-none-match"] == "\"1\"" { return connection.answer("304 Not Modified") }
            connection.answer("200 OK", ["ETag: \"1\""], #"{"color":"blue","size":2}"#)
        }
        let loader = ConfigDocumentURLLoader(url: URL(string: "\(server.environment)/config.json")!)
        let cache = ConfigDocumentFileCache(file: URL(filePath: "\(folder.path)/theme"))
        #expect(try await ConfigDocument(Self.bundled, cache: cache, loader: loader).update())
        let next = ConfigDocument(Self.bundled, cache: cache, loader: loader)
        #expect(next.value.color == "blue")
        #expect(try await !next.update())

        try folder.write("theme", "almanac document 1 2 0\n{}".utf8)
        let damaged = ConfigDocument(Self.bundled, cache: cache, loader: loader)
        #expect(damaged.value == Self.bundled)
        #expect(damaged.failure != nil)
        #expect(try await damaged.update())
    }

    @Test func `a broken bundled document is found by a test`() throws {
        #expect(try ConfigDocument<Theme>.validate(bundled: #"{"color":"red","size":1}"#.utf8) == Self.bundled)
        #expect(throws: ConfigFailure.self) { try ConfigDocument<Theme>.validate(bundled: #"{"color":"red"}"#.utf8) }
    }
}
