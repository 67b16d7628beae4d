import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Observation
import Synchronization
import Testing

@Suite struct ProviderTests {
    struct Theme: Codable, Sendable, Equatable {
        var color: String
        var size: Int
    }

    private static let bundled = Theme(color: "red", size: 1)

    /// Gives what a test has put there.
    private final class Shelf: RemoteConfigLoader {
        let next = Mutex<LoadedConfig?>(nil)
        let loads = Mutex(0)
        let validators = Mutex<[String?]>([])

        func load(validator: String?) async throws -> LoadedConfig? {
            loads.withLock { $0 += 1 }
            validators.withLock { $0.append(validator) }
            return next.withLock { $0 }
        }

        func put(_ text: String, _ validator: String? = nil) {
            next.withLock { $0 = LoadedConfig(data: Data(text.utf8), validator: validator) }
        }
    }

    @Test func `a new document is observed, and one that does not decode leaves the old value`() async throws {
        let shelf = Shelf()
        let provider = ConfigProvider(Self.bundled, remote: shelf)
        #expect(provider.value == Self.bundled)
        shelf.put(#"{"color":"blue","size":2}"#, "\"1\"")
        let isObserved = Mutex(false)
        withObservationTracking {
            _ = provider.value
        } onChange: {
            isObserved.withLock { $0 = true }
        }
        #expect(try await provider.updateConfig())
        #expect(isObserved.withLock { $0 })
        #expect(provider.value == Theme(color: "blue", size: 2))
        for broken in ["<html>", #"{"color":"blue"}"#, "", #"{"color":1,"size":2}"#, "null"] {
            shelf.put(broken, "\"2\"")
            await #expect(throws: ConfigFailure.self) { try await provider.updateConfig() }
            #expect(provider.value == Theme(color: "blue", size: 2))
            #expect(provider.failure != nil)
        }
        // The validator is still that of the value, so a document that is mended comes through.
        #expect(shelf.validators.withLock { $0.last } == "\"1\"")
        shelf.next.withLock { $0 = nil }
        #expect(try await !provider.updateConfig())
        #expect(provider.failure == nil)
    }

    @Test func `a thousand updates at the same time make one request`() async throws {
        let release = Gate()
        let server = try AppServer { _, connection in
            release.wait()
            connection.answer("200 OK", ["ETag: \"1\""], #"{"color":"blue","size":2}"#)
        }
        let remote = URLConfigLoader(URL(string: "\(server.environment)/config.json")!)
        let provider = ConfigProvider(Self.bundled, remote: remote)
        // Made on one actor, they have all joined when the last one of them has.
        let updates = await MainActor.run {
            (0..<1000).map { _ in Task { @MainActor in try await provider.updateConfig() } }
        }
        await MainActor.run {}
        release.open()
        for update in updates { #expect(try await update.value) }
        #expect(server.requests.count == 1)
        #expect(provider.value.size == 2)
    }

    @Test func `the document of the last run is there at once, and its validator spares the body`() async throws {
        let folder = try TemporaryFolder()
        let server = try AppServer { request, connection in
            if request.headers["if-none-match"] == "\"1\"" { return connection.answer("304 Not Modified") }
            connection.answer("200 OK", ["ETag: \"1\""], #"{"color":"blue","size":2}"#)
        }
        let remote = URLConfigLoader(URL(string: "\(server.environment)/config.json")!)
        let local = FileConfigLoader(URL(filePath: "\(folder.path)/theme"))
        #expect(try await ConfigProvider(Self.bundled, local: local, remote: remote).updateConfig())
        let next = ConfigProvider(Self.bundled, local: local, remote: remote)
        #expect(next.value.color == "blue")
        #expect(try await !next.updateConfig())

        try folder.write("theme", "almanac document 1 2 0\n{}".utf8)
        let damaged = ConfigProvider(Self.bundled, local: local, remote: remote)
        #expect(damaged.value == Self.bundled)
        #expect(damaged.failure != nil)
        #expect(try await damaged.updateConfig())
    }

    @Test func `a broken bundled document is found by a test`() throws {
        #expect(try ConfigProvider<Theme>.validate(bundled: #"{"color":"red","size":1}"#.utf8) == Self.bundled)
        #expect(throws: ConfigFailure.self) { try ConfigProvider<Theme>.validate(bundled: #"{"color":"red"}"#.utf8) }
    }
}
