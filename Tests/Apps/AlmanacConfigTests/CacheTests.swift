import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Testing

@Suite struct CacheTests {
    private func filled(_ sandbox: Sandbox) async throws -> (server: AppServer, options: ConfigOptions) {
        let server = try AppServer { _, connection in connection.config("1.aaaa", #"[{"key":"a","value":"fetched"}]"#) }
        let options = sandbox.options(server.environment, defaults: ["a": "bundled"])
        try await ConfigClient(options).fetch()
        return (server, options)
    }

    @Test(arguments: [0, 1, 10, 40, 100, 140])
    func `a file that was cut gives the bundled values, and the next fetch heals it`(length: Int) async throws {
        let sandbox = try Sandbox()
        let (server, options) = try await filled(sandbox)
        let data = try Data(contentsOf: sandbox.cache)
        try #require(length < data.count)
        try data.prefix(length).write(to: sandbox.cache)
        let client = ConfigClient(options)
        #expect(client.string("a", default: "") == "bundled")
        #expect(client.status.origin == .bundled)
        #expect(sandbox.reports.count == 1)
        try await client.fetch()
        #expect(server.requests.last?.path == "/test/config")
        #expect(ConfigClient(options).string("a", default: "") == "fetched")
    }

    @Test func `no flipped byte goes unnoticed`() async throws {
        let sandbox = try Sandbox()
        let (_, options) = try await filled(sandbox)
        let data = try Data(contentsOf: sandbox.cache)
        for index in data.indices {
            var broken = data
            broken[index] ^= 0x04
            try broken.write(to: sandbox.cache)
            #expect(ConfigClient(options).status.origin == .bundled, "byte \(index)")
        }
    }

    @Test func `a file of another environment, another version or another program is not used`() async throws {
        let sandbox = try Sandbox()
        let (_, options) = try await filled(sandbox)
        var other = options
        other.environment = URL(string: "http://127.0.0.1:1/production")!
        #expect(ConfigClient(other).status.origin == .bundled)
        other = options
        other.version = "1"
        #expect(ConfigClient(other).status.origin == .bundled)
        try Data("SQLite format 3\0".utf8).write(to: sandbox.cache)
        #expect(ConfigClient(options).status.origin == .bundled)
    }

    @Test func `a file of a newer version of the library is not used, is said, and gives way to the next fetch`()
        async throws
    {
        let sandbox = try Sandbox()
        let (server, options) = try await filled(sandbox)
        let newer = try String(contentsOf: sandbox.cache, encoding: .utf8).replacing("config 1", with: "config 2")
        try Data(newer.utf8).write(to: sandbox.cache)
        let client = ConfigClient(options)
        #expect(client.string("a", default: "") == "bundled")
        #expect(sandbox.reports == [.cache("the file has another kind or a newer version; it is ignored")])
        try await client.fetch()
        #expect(server.requests.last?.path == "/test/config")
        #expect(ConfigClient(options).string("a", default: "") == "fetched")
    }

    @Test func `a document of a newer version of the library is not used, and that shows`() async throws {
        let sandbox = try Sandbox()
        let cache = ConfigDocumentFileCache(file: sandbox.cache)
        try cache.save(LoadedConfigDocument(bytes: Array("[1]".utf8)))
        let newer = try String(contentsOf: sandbox.cache, encoding: .utf8).replacing("document 1", with: "document 2")
        try Data(newer.utf8).write(to: sandbox.cache)
        let server = try AppServer { _, connection in connection.answer("200 OK", [], "[2]") }
        let loader = ConfigDocumentURLLoader(url: URL(string: server.environment)!)
        let fallback = [0]
        let document = ConfigDocument(fallback, cache: cache, loader: loader)
        #expect(document.value == fallback)
        #expect(document.failure != nil)
        try await document.update()
        #expect(ConfigDocument(fallback, cache: cache, loader: loader).value == [2])
    }

    @Test func `a cache that cannot be written is reported, and the app has the values all the same`() async throws {
        let sandbox = try Sandbox()
        let file = try sandbox.folder.write("file", "no folder".utf8)
        let server = try AppServer { _, connection in connection.config("1.aaaa", #"[{"key":"a","value":1}]"#) }
        var options = sandbox.options(server.environment)
        // Root may write to any folder, so place the cache below a file.
        options.cache = URL(filePath: "\(file)/config.cache")
        let client = ConfigClient(options)
        try await client.fetchAndActivate()
        #expect(client.int("a", default: 0) == 1)
        #expect(!sandbox.reports.isEmpty)
        #expect(sandbox.reports.allSatisfy { if case .cache = $0 { true } else { false } })
    }

    @Test func `a folder in place of the file is reported and not entered`() throws {
        let sandbox = try Sandbox()
        var options = sandbox.options("http://127.0.0.1:1/test")
        options.cache = URL(filePath: sandbox.folder.path)
        #expect(ConfigClient(options).status.origin == .bundled)
        #expect(sandbox.reports.count == 1)
    }
}
