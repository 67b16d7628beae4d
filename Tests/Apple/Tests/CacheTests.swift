import AlmanacConfig
import AlmanacFlags
import AlmanacTestSupport
import Foundation
import Testing

@Suite struct CacheTests {
    @Test func `the clients of the config and the flags share a folder`() async throws {
        let folder = try TemporaryFolder()
        let environment = URL(string: "https://config.example.com/production")!
        let cache = URL(filePath: folder.path)
        let online = ScriptedTransport { request, _ throws(TransportFailure) in
            let body =
                request.method == "POST"
                ? #"{"flags":[{"key":"a","value":"flag","reason":"STATIC","variant":"on"}]}"#
                : #"[{"key":"a","value":"entry"}]"#
            let headers = ["Almanac-Cursor": "1.aaaa", "Almanac-Version": "1.0.0", "Content-Type": "application/json"]
            return .text(body, headers: headers.map { (name: $0.key, value: $0.value) })
        }
        func clients(_ transport: any ClientTransport) -> (config: ConfigClient, flags: RemoteFlags) {
            let config = ConfigOptions(environment: environment, cache: cache, transport: transport)
            let flags = FlagOptions(environment: environment, cache: cache, transport: transport)
            return (ConfigClient(config), RemoteFlags(flags))
        }
        let first = clients(online)
        try await first.config.fetch()
        try await first.flags.fetch()
        #expect(first.config.status.cacheFailure == nil && first.flags.status.cacheFailure == nil)
        let next = clients(ScriptedTransport { _, _ throws(TransportFailure) in throw .unreachable("no network") })
        #expect(next.config.string("a", default: "") == "entry")
        #expect(next.flags.string("a", default: "") == "flag")
    }
}
