import AlmanacFlags
import AlmanacTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct ContextTests {
    private static let ada = FlagContext(targetingKey: "ada")
    private static let bob = FlagContext(targetingKey: "bob")

    /// Sends callers their own name, and accepts only their own validator.
    private static func greet(_ request: AppServer.Request, _ connection: AppServer.Connection) {
        let name = request.targetingKey ?? "nobody"
        if request.headers["if-none-match"] != nil { return connection.answer("304 Not Modified") }
        connection.flags("1.aaaa", evaluated("greeting", "\"\(name)\""), ["ETag: \"1.aaaa-\(name)\""])
    }

    @Test func `a changed context sees nothing that was chosen for another, and sends no validator of its`()
        async throws
    {
        let sandbox = try Sandbox()
        let gate = Gate()
        let server = try AppServer { request, connection in
            if request.targetingKey == "bob" { gate.wait() }
            Self.greet(request, connection)
        }
        let flags = RemoteFlags(sandbox.options(server.environment, Self.ada))
        try await flags.fetch()
        let change = Task { try await flags.setContext(Self.bob) }
        #expect(try await eventuallyAsync { server.requests.count == 2 })
        // With a validator, the server would answer 304 here, and bob would permanently see ada's values.
        #expect(server.requests.last?.headers["if-none-match"] == nil)
        #expect(flags.values.context == Self.bob)
        #expect(flags.details("greeting", default: "").error?.code == .notReady)
        #expect(flags.status.origin == .none && flags.status.lastFetched == nil)
        gate.open()
        #expect(try await change.value == .changed(["greeting"]))
        #expect(flags.string("greeting", default: "") == "bob")
    }

    @Test func `each context finds its own evaluations again, without a network`() async throws {
        let sandbox = try Sandbox()
        var options = sandbox.options("http://127.0.0.1:1/test", Self.ada)
        do {
            let server = try AppServer(Self.greet)
            options.environment = URL(string: server.environment)!
            let flags = RemoteFlags(options)
            try await flags.fetch()
            try await flags.setContext(Self.bob)
        }
        // The server has stopped.
        let flags = RemoteFlags(options)
        #expect(flags.string("greeting", default: "") == "ada")
        #expect(flags.status.origin == .cached)
        #expect(await failure { () throws(FlagFailure) in try await flags.setContext(Self.bob) } != nil)
        #expect(flags.string("greeting", default: "") == "bob")
        let eve = FlagContext(targetingKey: "eve")
        _ = await failure { () throws(FlagFailure) in try await flags.setContext(eve) }
        #expect(flags.string("greeting", default: "nothing") == "nothing")
        #expect(sandbox.files.count == 2)
        #expect(sandbox.files.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{64}\.flags/) != nil })
        for file in sandbox.files {
            let text = try String(contentsOf: sandbox.cache.appending(path: file), encoding: .utf8)
            #expect(!text.contains("targetingKey"))
        }
    }

    @Test func `an answer that comes too late is not taken for somebody else`() async throws {
        let sandbox = try Sandbox()
        let (mayAnswer, answer) = AsyncStream<Void>.makeStream()
        let transport = ScriptedTransport { request, _ throws(TransportFailure) in
            let isAda = String(decoding: request.body ?? [], as: UTF8.self).contains("ada")
            // This server answers even if the client cancels.
            if isAda { await Task { for await _ in mayAnswer {} }.value }
            return .text(
                #"{"flags":[\#(evaluated("greeting", isAda ? "\"ada\"" : "\"bob\""))]}"#,
                headers: [("Content-Type", "application/json")])
        }
        var options = sandbox.options("https://config.example.com/test", Self.ada)
        options.transport = transport
        let flags = RemoteFlags(options)
        let early = Task { try await flags.fetch() }
        #expect(try await eventuallyAsync { transport.requests.count == 1 })
        let change = Task { try await flags.setContext(Self.bob) }
        #expect(try await eventuallyAsync { flags.values.context == Self.bob })
        answer.finish()
        _ = try await (early.value, change.value)
        #expect(flags.string("greeting", default: "") == "bob")
        #expect(sandbox.files.count == 1)
    }

    @Test func `somebody else who comes and goes gets what was chosen for them`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer(Self.greet)
        let flags = RemoteFlags(sandbox.options(server.environment, Self.ada))
        await withTaskGroup { group in
            for round in 0..<20 {
                group.addTask { _ = try? await flags.setContext(round % 2 == 0 ? Self.ada : Self.bob) }
                group.addTask { _ = try? await flags.fetch(force: true) }
            }
        }
        let last = flags.values
        #expect(last.string("greeting", default: "") == last.context.targetingKey)
        for _ in 0..<2 {
            try await flags.setContext(Self.ada)
            #expect(flags.string("greeting", default: "") == "ada")
            try await flags.setContext(Self.bob)
            #expect(flags.string("greeting", default: "") == "bob")
        }
    }

    @Test func `the number of contexts that are kept is bounded`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer(Self.greet)
        var options = sandbox.options(server.environment, Self.ada)
        options.maxCachedContexts = 3
        let flags = RemoteFlags(options)
        for number in 0..<10 {
            try await flags.setContext(FlagContext(targetingKey: "user\(number)"))
            #expect(sandbox.files.count <= 3)
        }
        options.context = FlagContext(targetingKey: "user9")
        #expect(RemoteFlags(options).string("greeting", default: "") == "user9")
        options.context = FlagContext(targetingKey: "user0")
        #expect(RemoteFlags(options).string("greeting", default: "") == "")
    }

    @Test func `evaluations of another environment or another pinned major are not used`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer(Self.greet)
        let options = sandbox.options(server.environment, Self.ada)
        try await RemoteFlags(options).fetch()
        var other = options
        other.environment = URL(string: server.environment + "2")!
        #expect(RemoteFlags(other).status.origin == .none)
        other = options
        other.version = "1"
        #expect(RemoteFlags(other).status.origin == .none)
        #expect(RemoteFlags(options).status.origin == .cached)
        #expect(sandbox.reports.isEmpty)
    }

    @Test func `no flipped byte and no cut goes unnoticed, and the next fetch heals the file`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer(Self.greet)
        let options = sandbox.options(server.environment, Self.ada)
        try await RemoteFlags(options).fetch()
        let file = sandbox.cache.appending(path: try #require(sandbox.files.first))
        let data = try Data(contentsOf: file)
        for index in data.indices {
            var broken = data
            broken[index] ^= 0x04
            try broken.write(to: file)
            #expect(RemoteFlags(options).status.origin == .none, "byte \(index)")
            try data.prefix(index).write(to: file)
            #expect(RemoteFlags(options).status.origin == .none, "cut at \(index)")
        }
        #expect(sandbox.reports.count == 2 * data.count)
        try await RemoteFlags(options).fetch()
        #expect(server.requests.last?.headers["if-none-match"] == nil)
        #expect(RemoteFlags(options).string("greeting", default: "") == "ada")
    }

    @Test func `another context's file in place of one's own is not used`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer(Self.greet)
        var options = sandbox.options(server.environment, Self.ada)
        try await RemoteFlags(options).fetch()
        let adas = try #require(sandbox.files.first)
        options.context = Self.bob
        try await RemoteFlags(options).fetch()
        let bobs = try #require(sandbox.files.first { $0 != adas })
        try Data(contentsOf: sandbox.cache.appending(path: adas)).write(to: sandbox.cache.appending(path: bobs))
        #expect(RemoteFlags(options).status.origin == .none)
    }

    @Test func `a folder that cannot be written is reported, and the app has the values all the same`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer(Self.greet)
        var options = sandbox.options(server.environment, Self.ada)
        // Root may write to any folder, so place the cache below a file.
        options.cache = URL(filePath: "\(try sandbox.folder.write("file", "no folder".utf8))/flags")
        let flags = RemoteFlags(options)
        #expect(flags.status.cacheFailure == nil)
        try await flags.fetch()
        #expect(flags.status.cacheFailure?.hasPrefix("the evaluations could not be written: ") == true)
        #expect(flags.string("greeting", default: "") == "ada")
        #expect(!sandbox.reports.isEmpty)
        #expect(sandbox.reports.allSatisfy { if case .cache = $0 { true } else { false } })
        // The failure remains until a write succeeds.
        try await flags.setContext(Self.bob)
        #expect(flags.status.cacheFailure != nil)
        try FileManager.default.removeItem(at: options.cache!.deletingLastPathComponent())
        try await flags.fetch()
        #expect(flags.status.cacheFailure == nil)
    }
}
