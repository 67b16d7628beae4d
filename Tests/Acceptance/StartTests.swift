import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    /// Tests of a worker's start, and of the settings that it refuses.
    @Suite struct StartTests {
        private let folder: TemporaryFolder
        private let instance: Instance

        init() throws { (folder, instance) = try (TemporaryFolder(), Instance.current()) }

        @Test(arguments: [
            ("{", "environments.json"),
            ("{}", "environments.json"),
            (#"{"Development": {}}"#, "Development"),
            (#"{"a": {"database": "host=/nowhere dbname=x password=geheim"}}"#, "/nowhere"),
            (#"{"a": {"database": "host=127.0.0.1 port=1 dbname=x password=geheim"}}"#, "127.0.0.1"),
            (#"{"a": {"database": "hots=x password=geheim"}}"#, "'a'"),
        ])
        func `a worker that cannot start says why in one line and takes its time`(file: String, named: String) throws {
            let path = try folder.write("environments.json", file.utf8)
            let start = ContinuousClock.now
            let outcome = try Command.run(
                instance.path("bin/almanac-worker"),
                environment: ["ALMANAC_ENVIRONMENTS": path, "ALMANAC_LISTEN": "unix:\(folder.path)/socket"],
                within: .seconds(20))
            #expect(ContinuousClock.now - start >= .seconds(1))
            #expect(outcome.status == 1)
            #expect(outcome.errors.split(separator: "\n").count == 1)
            #expect(outcome.errors.hasPrefix("almanac-worker: "))
            #expect(outcome.errors.contains(named))
            #expect(!outcome.errors.contains("geheim"))
        }

        @Test func `SIGHUP brings environments and takes them, and a broken file changes nothing`() throws {
            let good = try String(decoding: File.read(instance.path("environments.json")), as: UTF8.self)
            let path = try folder.write("environments.json", good.utf8)
            let worker = try BackgroundCommand(
                instance.path("bin/almanac-worker"),
                environment: ["ALMANAC_ENVIRONMENTS": path, "ALMANAC_LISTEN": "unix:\(folder.path)/socket"])
            defer { worker.kill() }
            func log() -> String { String(decoding: worker.errorBytes, as: UTF8.self) }
            #expect(eventually(within: .seconds(10)) { log().contains("\"environments\":\"development staging\"") })

            let renamed = good.replacing("\"staging\"", with: "\"canary\"")
            try #require(renamed != good)
            _ = try folder.write("environments.json", renamed.utf8)
            worker.send(signal: SIGHUP)
            #expect(eventually { log().contains("\"environments\":\"canary development\"") })

            _ = try folder.write("environments.json", "{".utf8)
            worker.send(signal: SIGHUP)
            #expect(eventually { log().contains("the previous one remains in use") })

            worker.send(signal: SIGTERM)
            #expect(worker.wait(upTo: .seconds(10)) == 0)
        }
    }
}
