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

    /// Sends the requested path, with its version, as the value of "a".
    private static func answerPinned(_ request: AppServer.Request, _ connection: AppServer.Connection) {
        let major = request.path.firstMatch(of: /version=(\d+)/).map { ["Almanac-Major: \($0.1)"] } ?? []
        connection.config("1.aaaa", #"[{"key":"a","value":"\#(request.path)"}]"#, major)
    }

    @Test(arguments: [0, 1, 10, 40, 100, 140])
    func `a file that was cut gives the bundled values, and the next fetch heals it`(length: Int) async throws {
        let sandbox = try Sandbox()
        let (server, options) = try await filled(sandbox)
        let data = try Data(contentsOf: sandbox.cacheFile)
        try #require(length < data.count)
        try data.prefix(length).write(to: sandbox.cacheFile)
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
        let file = try sandbox.cacheFile
        let data = try Data(contentsOf: file)
        for index in data.indices {
            var broken = data
            broken[index] ^= 0x04
            try broken.write(to: file)
            #expect(ConfigClient(options).status.origin == .bundled, "byte \(index)")
        }
    }

    @Test func `environments and pinned versions in one folder do not collide`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer(Self.answerPinned)
        let all = ["/test", "/production"].flatMap { path in
            [nil, "1", "2"].map { sandbox.options(server.environment.replacing("/test", with: path), version: $0) }
        }
        for options in all { try await ConfigClient(options).fetch() }
        #expect(try sandbox.cacheFiles.count == 6)
        let values = all.map { ConfigClient($0).string("a", default: "") }
        #expect(Set(values).count == 6)
        #expect(values.first == "/test/config")
        #expect(sandbox.reports.isEmpty)
    }

    @Test func `the number of files in the folder is bounded`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer(Self.answerPinned)
        for version in 1...10 {
            try await ConfigClient(sandbox.options(server.environment, version: "\(version)")).fetch()
        }
        #expect(try sandbox.cacheFiles.count == 8)
        #expect(ConfigClient(sandbox.options(server.environment, version: "10")).status.origin == .cached)
    }

    @Test func `a file of another version or another program in place of one's own is not used`() async throws {
        let sandbox = try Sandbox()
        let (_, options) = try await filled(sandbox)
        let server = try AppServer(Self.answerPinned)
        let file = try sandbox.cacheFile
        let data = try Data(contentsOf: file)
        try FileManager.default.removeItem(at: file)
        let other = sandbox.options(server.environment, version: "1")
        try await ConfigClient(other).fetch()
        try data.write(to: sandbox.cacheFile)
        #expect(ConfigClient(other).status.origin == .bundled)
        try Data("SQLite format 3\0".utf8).write(to: file)
        #expect(ConfigClient(options).status.origin == .bundled)
        #expect(sandbox.reports.count == 2)
    }

    /// Puts a cache file in the place of the cache folder, as Almanac 1.0.0 did.
    private func putFileInPlaceOfFolder(_ sandbox: Sandbox) throws {
        let data = try Data(contentsOf: sandbox.cacheFile)
        try FileManager.default.removeItem(at: sandbox.cache)
        try data.write(to: sandbox.cache)
    }

    @Test func `the file of an earlier version moves into the folder`() async throws {
        let sandbox = try Sandbox()
        let (_, options) = try await filled(sandbox)
        try putFileInPlaceOfFolder(sandbox)
        var other = options
        other.version = "1"
        #expect(ConfigClient(other).status.origin == .bundled)
        #expect(ConfigClient(options).string("a", default: "") == "fetched")
        #expect(try sandbox.cacheFiles.count == 1)
        #expect(sandbox.reports.isEmpty)
    }

    @Test func `a damaged file of an earlier version gives way to the folder`() async throws {
        let sandbox = try Sandbox()
        let (server, options) = try await filled(sandbox)
        try putFileInPlaceOfFolder(sandbox)
        try (Data(contentsOf: sandbox.cache) + Data("x".utf8)).write(to: sandbox.cache)
        let client = ConfigClient(options)
        #expect(client.status.origin == .bundled)
        try await client.fetch()
        #expect(server.requests.count == 2)
        #expect(client.status.cacheFailure == nil)
        #expect(try sandbox.cacheFiles.count == 1)
    }

    @Test func `another program's file in the place of the folder stays, and the status says so`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { _, connection in connection.config("1.aaaa", "[]") }
        let data = Data("SQLite format 3\0".utf8)
        try data.write(to: sandbox.cache)
        let client = ConfigClient(sandbox.options(server.environment))
        try await client.fetch()
        #expect(client.status.cacheFailure != nil)
        #expect(try Data(contentsOf: sandbox.cache) == data)
    }

    @Test func `a file of a newer version of the library is not used, is said, and gives way to the next fetch`()
        async throws
    {
        let sandbox = try Sandbox()
        let (server, options) = try await filled(sandbox)
        let file = try sandbox.cacheFile
        let newer = try String(contentsOf: file, encoding: .utf8).replacing("config 1", with: "config 2")
        try Data(newer.utf8).write(to: file)
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
        options.cache = URL(filePath: "\(file)/cache")
        let client = ConfigClient(options)
        #expect(client.status.cacheFailure == nil)
        try await client.fetchAndActivate()
        #expect(client.status.cacheFailure?.hasPrefix("the config could not be written: ") == true)
        #expect(client.int("a", default: 0) == 1)
        #expect(!sandbox.reports.isEmpty)
        #expect(sandbox.reports.allSatisfy { if case .cache = $0 { true } else { false } })
        // Once the folder can be created, the status is clean again.
        try FileManager.default.removeItem(atPath: file)
        try await client.fetch()
        #expect(client.status.cacheFailure == nil)
        #expect(ConfigClient(options).int("a", default: 0) == 1)
    }
}
