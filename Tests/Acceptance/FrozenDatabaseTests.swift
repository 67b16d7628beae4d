import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    /// Tests of a PostgreSQL that accepts connections but never answers, as on a frozen machine or a hanging disk.
    @Suite struct FrozenDatabaseTests {
        /// Returns the process ids of the postmaster and its children.
        private func processes() throws -> [Int32] {
            let postmaster = try #require(try Instance.current().run("--pid", "postgres").split(separator: "\n").first)
            let children = try Command.run("ps", ["-o", "pid=", "--ppid", String(postmaster)]).output
            return [Int32(postmaster)].compactMap(\.self)
                + children.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
        }

        @Test func `a write is refused in time, and config is read on`() throws {
            let development = try LiveEnvironment("development")
            try development.reset(to: ["a": 1])
            let frozen = try processes()
            try #require(frozen.count > 1)
            for pid in frozen { #expect(kill(pid, SIGSTOP) == 0) }
            defer { for pid in frozen { kill(pid, SIGCONT) } }
            let client = development.client()
            // nginx would give up after a minute, with 504.
            for _ in 0..<3 {
                let write = try client.put(development.path("config/a"), 2)
                #expect(write.status == 503, "\(write.text)")
                #expect(write.problem == "database-away")
            }
            #expect(
                eventually(within: .seconds(30)) {
                    (try? client.send("GET", development.path("config")))?.header("Almanac-Stale") == "true"
                })
            let almanac = try CommandLineProgram()
            let read = try almanac.run("config", "get", "a")
            #expect(read.output == "1\n")
            #expect(read.errors.contains("'development' is unreachable, so the output may be stale"))
            for pid in frozen { kill(pid, SIGCONT) }
            #expect(
                eventually(within: .seconds(30)) { (try? client.put(development.path("config/a"), 3))?.status == 200 })
        }
    }
}
