import AlmanacConfig
import AlmanacJSON
import AlmanacTestSupport
import Foundation
import Synchronization
import Testing

extension Live {
    @Suite struct AlmanacConfigTests {
        private let folder: TemporaryFolder
        private let instance: Instance

        init() throws { (folder, instance) = try (TemporaryFolder(), Instance.current()) }

        private func options(_ environment: LiveEnvironment, version: String? = nil) -> ConfigOptions {
            var options = ConfigOptions(
                environment: URL(string: "\(instance.url)/\(environment.name)")!, version: version,
                defaults: ["color": "#000000", "title": "bundled"], cache: URL(filePath: "\(folder.path)/cache"))
            options.minimumInterval = .zero
            options.transport = AlmanacHTTPTransport(caFile: URL(filePath: instance.caFile))
            options.tokens = FixedToken(environment.token)
            return options
        }

        @Test func `an app begins with bundled values, and keeps fetched ones without a network`() async throws {
            let development = try LiveEnvironment("development")
            try development.reset(to: ["color": "#FFB6C1", "limit": 5])
            let recorder = RecordingTransport(instance)
            var online = options(development)
            online.transport = recorder
            var offline = online
            offline.transport = NoNetwork()

            let first = ConfigClient(offline)
            await #expect(throws: ConfigFailure.self) { try await first.fetchAndActivate() }
            #expect(first.string("title", default: "") == "bundled")
            #expect(first.status.origin == .bundled)

            let second = ConfigClient(online)
            try await second.fetchAndActivate()
            #expect(second.color("color", default: ConfigColor(red: 0, green: 0, blue: 0)).red == 255)
            #expect(second.int("limit", default: 0) == 5)
            #expect(second.status.origin == .fetched)

            let third = ConfigClient(offline)
            #expect(third.int("limit", default: 0) == 5)
            #expect(third.status.origin == .cached)

            // The response contains only the changed key.
            #expect(try development.client().put(development.path("config/limit"), 6).status == 200)
            #expect(try await second.fetchAndActivate() == .changed(["limit"]))
            let answer = try JSONSerialization.jsonObject(with: recorder.lastBody) as? [[String: Any]]
            #expect(answer?.map { $0["key"] as? String } == ["limit"])
            #expect(second.int("limit", default: 0) == 6)
        }

        @Test func `a deleted key falls back to its default at once, live`() async throws {
            let development = try LiveEnvironment("development")
            try development.reset(to: ["title": "from the server"])
            let client = ConfigClient(options(development))
            let following = Task { await client.follow() }
            var seen: [String] = []
            for await update in client.updates {
                seen.append(update.values.string("title", default: ""))
                if seen.last == "from the server" {
                    _ = try development.client().send("DELETE", development.path("config/title"))
                } else if seen.count > 1 {
                    break
                }
            }
            await following.cancelAndWait()
            #expect(seen == ["bundled", "from the server", "bundled"])
        }

        @Test func `a build pinned to its major keeps working while the environment moves on`() async throws {
            let development = try LiveEnvironment("development")
            let start = try development.reset(to: ["limit": 5, "title": "one"])
            let major = try #require(start.version?.split(separator: ".").first.map(String.init))
            let client = ConfigClient(options(development, version: major))
            try await client.fetchAndActivate()
            #expect(client.int("limit", default: 0) == 5)
            // Two breaking changes: a value of another type and a deleted key.
            _ = try development.client().put(development.path("config/limit"), "many")
            _ = try development.client().send("DELETE", development.path("config/limit"))
            _ = try development.client().put(development.path("config/title"), "two")
            try await client.fetchAndActivate()
            #expect(client.int("limit", default: 0) == 5)
            #expect(client.string("title", default: "") == "two")
            let version = try #require(client.values.version?.split(separator: ".").first.flatMap { Int($0) })
            #expect(try version >= #require(Int(major)) + 2)
        }
    }
}

/// The transport of a device without a network.
private struct NoNetwork: ClientTransport {
    func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        throw .unreachable("no network")
    }
}

/// A transport that records the responses.
private final class RecordingTransport: ClientTransport {
    private let network: AlmanacHTTPTransport
    private let body = Mutex<[UInt8]>([])

    init(_ instance: Instance) { network = AlmanacHTTPTransport(caFile: URL(filePath: instance.caFile)) }

    var lastBody: Data { Data(body.withLock { $0 }) }

    func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        let response = try await network.send(request)
        body.withLock { $0 = response.body }
        return TransportResponse(status: response.status, headers: response.headers.fields, bytes: response.body)
    }
}
