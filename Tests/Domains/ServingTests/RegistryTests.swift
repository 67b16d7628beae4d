import AlmanacEnvironments
import AlmanacMetrics
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Glibc
import Testing

@testable import AlmanacServing

/// Tests environments whose databases become available and unavailable.
@Suite(.database) struct RegistryTests {
    /// An environment whose only requirement is a connection to its database.
    private final class Service: EnvironmentService {
        let settings: EnvironmentSettings
        let isClosed = Monitor(false)

        init(_ settings: EnvironmentSettings) throws {
            self.settings = settings
            do { _ = try Connection(settings.database) } catch { throw StartFailure(settings, error) }
        }

        var state: (revision: Int64, isStale: Bool) { (0, false) }
        var schemaFailure: String? { nil }
        func write(to exposition: inout Exposition) {}
        func close() { isClosed.update { $0 = true } }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func registry(_ databases: (name: String, conninfo: String)...) throws -> Registry<Service> {
        try write(databases)
        return try Registry(file: "\(folder.path)/environments.json") { settings, _ in try Service(settings) }
    }

    private func write(_ databases: [(name: String, conninfo: String)]) throws {
        let members = databases.map { #""\#($0.name)": {"database": "\#($0.conninfo)"}"# }
        _ = try folder.write("environments.json", "{\(members.joined(separator: ", "))}".utf8)
    }

    /// Returns the name of a database that does not exist yet.
    private func missing() -> (name: String, conninfo: String) {
        let name = "almanac_test_" + String(UInt64.random(in: .min ... .max), radix: 36)
        return (name, (try? TestCluster.conninfo).map { "\($0) dbname=\(name)" } ?? "")
    }

    private func isPending(_ name: String, in registry: Registry<Service>) -> Bool {
        var view = Registry<Service>.View()
        return registry.isPending(EnvironmentName(name)!, &view)
    }

    @Test func `an environment whose database is away is taken up when it comes`() throws {
        let (name, conninfo) = missing()
        let registry = try registry(("here", try TestDatabase.current.conninfo()), ("away", conninfo))
        defer { registry.close() }
        #expect(registry.names == ["here"])
        #expect(registry.pending.map(\.name) == ["away"])
        #expect(registry.pending.map(\.reason) == [StartFailure.publicReason])
        #expect(isPending("away", in: registry) && !isPending("here", in: registry) && !isPending("x", in: registry))

        let cluster = try Connection(TestCluster.settings)
        try cluster.execute(script: "create database \(name)")
        defer { try? cluster.execute(script: "drop database \(name) with (force)") }
        #expect(eventually(within: .seconds(20)) { registry.names == ["away", "here"] })
        #expect(registry.pending.isEmpty && !isPending("away", in: registry))
    }

    @Test func `a database that gives no answer keeps the others waiting for a moment only`() throws {
        let silent = try ScriptedServer { _ in .silence }
        let start = ContinuousClock.now
        let registry = try registry(
            ("silent", "host=127.0.0.1 port=\(silent.port) dbname=x connect_timeout=60"),
            ("here", try TestDatabase.current.conninfo()))
        defer { registry.close() }
        // The connection's own limit is a minute.
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(registry.names == ["here"])
        #expect(registry.pending.map(\.name) == ["silent"])
    }

    @Test func `with no environment at all there is nothing to serve`() throws {
        let failure = try #require(throws: StartFailure.self) { try registry(("away", missing().conninfo)) }
        #expect(failure.description.hasPrefix("environment 'away', "))
    }

    @Test func `what time does not heal refuses the start, and closes what had been started`() throws {
        let here = try TestDatabase.current.conninfo()
        let started = Monitor<[Service]>([])
        try write([("broken", here), ("here", here)])
        #expect(throws: (any Error).self) {
            try Registry<Service>(file: "\(folder.path)/environments.json") { settings, _ in
                if settings.name.text == "broken" { throw SystemFailure(code: EACCES) }
                let service = try Service(settings)
                started.update { $0.append(service) }
                return service
            }
        }
        #expect(eventually { started.read { $0.allSatisfy { $0.isClosed.read(\.self) } } })
    }

    @Test func `a reload goes on waiting for what is awaited, and forgets what is not in the file any more`() throws {
        let away = missing()
        let here = try TestDatabase.current.conninfo()
        let registry = try registry(("here", here), ("away", away.conninfo))
        defer { registry.close() }
        try write([("here", here), ("away", away.conninfo), ("new", here)])
        try registry.reload()
        #expect(registry.names == ["here", "new"] && registry.pending.map(\.name) == ["away"])
        try write([("here", here)])
        try registry.reload()
        #expect(registry.names == ["here"] && registry.pending.isEmpty)
    }
}
