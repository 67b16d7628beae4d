import AlmanacFlags
import AlmanacTestSupport
import Combine
import Configuration
import Foundation
import OpenFeature
import Synchronization
import Testing

/// Tests of the adapters for OpenFeature and swift-configuration.
@Suite(.timeLimit(.minutes(1))) struct FlagAdapterTests {
    /// Returns a server whose flag `count` counts evaluations, and whose flag `name` names the context.
    private static func transport(failing: Bool = false) -> ScriptedTransport {
        let count = Mutex(0)
        return ScriptedTransport { request, _ throws(TransportFailure) in
            if request.method == "GET" { return .text("", status: 404) }
            if failing { throw .unreachable("offline") }
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            let name = body.contains("bob") ? "bob" : "ada"
            let number = count.withLock {
                $0 += 1
                return $0
            }
            let flags = [
                #"{"key":"checkout.new","value":true,"variant":"on","reason":"SPLIT","metadata":{"by":"ada","n":1}}"#,
                #"{"key":"name","value":"\#(name)","variant":"x","reason":"STATIC"}"#,
                #"{"key":"count","value":\#(number),"variant":"x","reason":"STATIC"}"#,
                #"{"key":"ratio","value":0.5,"variant":"x","reason":"STATIC"}"#,
                #"{"key":"limits","value":{"hosts":["a","b"],"n":1},"variant":"x","reason":"STATIC"}"#,
                #"{"key":"hosts","value":["a","b"],"variant":"x","reason":"STATIC"}"#,
                #"{"key":"off","reason":"DISABLED","variant":""}"#,
                #"{"key":"broken","errorCode":"PARSE_ERROR","errorDetails":"why"}"#,
            ]
            return .text(
                #"{"flags":[\#(flags.joined(separator: ","))]}"#,
                headers: [(name: "Content-Type", value: "application/json")])
        }
    }

    private static func flags(_ transport: any ClientTransport) -> RemoteFlags {
        var options = FlagOptions(
            environment: URL(string: "https://config.example.com/test")!, context: FlagContext(targetingKey: "ada"),
            transport: transport)
        options.clock = ManualClock()
        options.minimumInterval = .zero
        return RemoteFlags(options)
    }

    private static var ada: ImmutableContext {
        ImmutableContext(targetingKey: "ada", attributes: ["seats": .integer(3)])
    }

    @Test func `OpenFeature's client evaluates every type`() async throws {
        let transport = Self.transport()
        let provider = RemoteFlagsProvider(Self.flags(transport))
        #expect(throws: OpenFeatureError.providerNotReadyError) {
            try provider.getBooleanEvaluation(key: "checkout.new", defaultValue: false, context: nil)
        }
        try await provider.initialize(initialContext: Self.ada)
        let body = String(decoding: transport.requests.first { $0.method == "POST" }?.body ?? [], as: UTF8.self)
        #expect(body == #"{"context":{"seats":3,"targetingKey":"ada"}}"#)
        let new = try provider.getBooleanEvaluation(key: "checkout.new", defaultValue: false, context: nil)
        #expect(new.value && new.variant == "on" && new.reason == "SPLIT")
        #expect(new.flagMetadata == ["by": .string("ada"), "n": .integer(1)])
        #expect(try provider.getStringEvaluation(key: "name", defaultValue: "", context: nil).value == "ada")
        #expect(try provider.getIntegerEvaluation(key: "count", defaultValue: 0, context: nil).value >= 1)
        #expect(try provider.getDoubleEvaluation(key: "ratio", defaultValue: 0, context: nil).value == 0.5)
        #expect(
            try provider.getObjectEvaluation(key: "limits", defaultValue: .null, context: nil).value
                == .structure(["hosts": .list([.string("a"), .string("b")]), "n": .integer(1)]))
        let off = try provider.getBooleanEvaluation(key: "off", defaultValue: true, context: nil)
        #expect(off.value && off.variant == nil && off.reason == "DISABLED")
        #expect(throws: OpenFeatureError.flagNotFoundError(key: "nowhere")) {
            try provider.getBooleanEvaluation(key: "nowhere", defaultValue: true, context: nil)
        }
        #expect(throws: OpenFeatureError.typeMismatchError) {
            try provider.getBooleanEvaluation(key: "name", defaultValue: true, context: nil)
        }
        #expect(throws: OpenFeatureError.parseError(message: "why")) {
            try provider.getBooleanEvaluation(key: "broken", defaultValue: true, context: nil)
        }
        #expect(provider.metadata.name == "Almanac" && provider.hooks.isEmpty)
    }

    @Test @MainActor func `a context that OpenFeature sets is the one that counts, and what changes is told`()
        async throws
    {
        let provider = RemoteFlagsProvider(Self.flags(Self.transport()))
        try await provider.initialize(initialContext: Self.ada)
        let (events, received) = AsyncStream<[String]>.makeStream()
        let sink = provider.observe().sink { event in
            if case .configurationChanged(let details?)? = event { received.yield(details.flagsChanged ?? []) }
        }
        for _ in 0..<100 { await Task.yield() }
        try await provider.onContextSet(
            oldContext: Self.ada, newContext: ImmutableContext(targetingKey: "bob", attributes: [:]))
        #expect(try provider.getStringEvaluation(key: "name", defaultValue: "", context: nil).value == "bob")
        for await changed in events where changed.contains("name") { break }
        sink.cancel()
    }

    @Test func `a provider that has nothing to give says so`() async throws {
        let provider = RemoteFlagsProvider(Self.flags(Self.transport(failing: true)))
        await #expect(throws: OpenFeatureError.self) { try await provider.initialize(initialContext: Self.ada) }
    }

    @Test func `a reader of the configuration finds flags by the parts of their keys`() async throws {
        let flags = Self.flags(Self.transport())
        let provider = RemoteFlagsConfigProvider(flags)
        let new = AbsoluteConfigKey(["checkout", "new"])
        #expect(try provider.value(forKey: new, type: .bool).value == nil)
        #expect(try await provider.fetchValue(forKey: new, type: .bool).value?.content == .bool(true))
        func content(_ key: String, _ type: ConfigType) throws -> ConfigContent? {
            try provider.snapshot().value(forKey: AbsoluteConfigKey([key]), type: type).value?.content
        }
        #expect(try content("name", .string) == .string("ada"))
        #expect(try content("count", .int) == .int(1))
        #expect(try content("ratio", .double) == .double(0.5))
        #expect(try content("hosts", .stringArray) == .stringArray(["a", "b"]))
        #expect(try content("off", .bool) == nil)
        #expect(try content("broken", .bool) == nil)
        #expect(try content("nowhere", .bool) == nil)
        #expect(throws: FlagError.self) { try content("name", .bool) }
        #expect(throws: FlagError.self) { try content("name", .bytes) }
    }

    @Test func `who watches a value gets it at once, and then each other one`() async throws {
        let flags = Self.flags(Self.transport())
        let provider = RemoteFlagsConfigProvider(flags)
        try await flags.fetch()
        let numbers = try await provider.watchValue(forKey: AbsoluteConfigKey(["count"]), type: .int) { updates in
            var numbers: [ConfigContent?] = []
            for await update in updates {
                numbers.append(try update.get().value?.content)
                if numbers.count == 2 { break }
                try await flags.fetch()
            }
            return numbers
        }
        #expect(numbers == [.int(1), .int(2)])
        let count = try await provider.watchSnapshot { updates in
            for await snapshot in updates {
                return try snapshot.value(forKey: AbsoluteConfigKey(["count"]), type: .int).value?.content
            }
            return nil
        }
        #expect(count == .int(2))
    }
}
