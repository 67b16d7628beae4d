import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

extension Live {
    @Suite struct ConcurrencyTests {
        /// The number of concurrent writers. The last writer waits for all others, and the server refuses a request
        /// that waits longer than 10 s. Beside the tests in Chromium, a write took 88 ms; on an idle machine, 4 ms.
        private static let writers = TestDepth.runs(quick: 50, standard: 50, long: 200)
        private static let writesEach = 5
        private static let keys = 40

        @Test func `no reader misses a change that many writers make at once`() throws {
            try follow { _ in }
        }

        /// Runs the statements of a release by hand, in a transaction that stays open while other writers queue.
        @Test func `no reader misses a change that was held open around the others`() throws {
            try follow { development in
                let held = Connection.self
                let connection = try held.init(workerSettings(development))
                try connection.execute(
                    script: """
                        begin;
                        select * from config_head for update;
                        update config_head set revision = revision + 1, updated_at = greatest(
                            date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond');
                        insert into config_releases (revision, major, minor, patch, released_at, kind, author)
                            select revision, major, minor, patch, updated_at, 'change', 'psql' from config_head;
                        insert into config_changes (revision, key, before, after, from_major)
                            select h.revision, e.key, e.value, '"held"', lower(e.majors)
                            from config_head h, config_entries e where e.key = 'key.0' and upper_inf(e.majors);
                        update config_entries e set value = '"held"', revision = h.revision, updated_at = h.updated_at
                            from config_head h where e.key = 'key.0' and upper_inf(e.majors);
                        """)
                // Commit only when writers wait, so that this release has an older time than the next releases.
                let watcher = try Connection(TestCluster.settings)
                let isWaitedFor = try eventually(within: .seconds(20)) {
                    try watcher.run(Self.waiting).first?.bigint("waiting") ?? 0 > 0
                }
                try connection.execute(script: "commit")
                try #require(isWaitedFor)
            }
        }

        private static let waiting = Statement(
            """
            -- name: test_waiting
            select count(*) as waiting from pg_stat_activity
            where datname = 'almanac_development' and wait_event_type = 'Lock'
            """)

        private func follow(_ meanwhile: (LiveEnvironment) throws -> Void) throws {
            let development = try LiveEnvironment("development")
            let start = (0..<Self.keys).map { (name: "key.\($0)", value: JSONValue.string("start")) }
            try development.reset(to: .object(JSONObject(start)))
            let isOver = try Event()

            let readers = Monitor<[FollowerOutcome]>([])
            let threads = (0..<20).map { number in
                Thread(name: "reader \(number)") {
                    let outcome = FollowerOutcome {
                        try Follower(development, byTime: number < 10).follow(until: isOver)
                    }
                    readers.update { $0.append(outcome) }
                }
            }
            let writes = Monitor<Result<Void, any Error>?>(nil)
            _ = Thread(name: "writers") {
                let outcome = Result<Void, any Error> {
                    _ = try concurrently(Self.writers) { writer in
                        let client = development.client()
                        for write in 0..<Self.writesEach {
                            let (path, value) = ("config/key.\((writer * 7 + write) % Self.keys)", "\(writer)/\(write)")
                            let answer = try client.put(development.path(path), .string(value))
                            guard answer.status == 200 else { throw InstanceFailure(description: answer.text) }
                        }
                    }
                }
                writes.update { $0 = outcome }
            }
            try meanwhile(development)
            let outcome = writes.wait(upTo: .seconds(120)) { $0 }
            isOver.set()
            try #require(outcome, "the writers are not done").get()
            for thread in threads { #expect(thread.wait(upTo: .seconds(30))) }

            let expected = try development.client().send("GET", development.path("config")).text
            for outcome in readers.read({ $0 }) {
                switch outcome.result {
                case .success(let state): #expect(state == expected)
                case .failure(let error): Issue.record(error)
                }
            }
            #expect(readers.read { $0.count } == 20)
        }

        /// Returns the connection settings of the instance's worker, as in its environments file.
        private func workerSettings(_ environment: LiveEnvironment) throws -> ConnectionSettings {
            ConnectionSettings(
                conninfo: try TestCluster.conninfo
                    + " dbname=almanac_\(environment.name) user=almanac_\(environment.name)_worker")
        }
    }
}

private struct FollowerOutcome: Sendable {
    let result: Result<String, any Error>

    init(_ body: () throws -> String) { result = Result { try body() } }
}

/// A client that updates a copy of the config from deltas, beginning with an empty cursor.
private struct Follower {
    private let environment: LiveEnvironment
    private let byTime: Bool

    init(_ environment: LiveEnvironment, byTime: Bool) {
        self.environment = environment
        self.byTime = byTime
    }

    /// - Returns: the client's copy, in the format of `GET /config`.
    func follow(until isOver: Event) throws -> String {
        let client = environment.client()
        var copy: [String: String] = [:]
        var cursor = byTime ? "1970-01-01T00:00:00.000Z" : "0"
        var isLast = false
        while true {
            let path = environment.path(byTime ? "config/\(cursor)" : "config?since=\(cursor)")
            let answer = try client.send("GET", path)
            guard answer.status == 200, answer.header("Almanac-Full") == nil else {
                throw InstanceFailure(description: "\(answer.status) \(answer.text)")
            }
            for document in try answer.json().arrayValue ?? [] {
                guard let entry = document.objectValue, let key = entry["key"]?.stringValue,
                    let time = entry["updated_at"]?.stringValue
                else { throw InstanceFailure(description: answer.text) }
                copy[key] = entry["value"] == nil ? nil : String(decoding: document.serialized(), as: UTF8.self)
                if byTime { cursor = max(cursor, time) }
            }
            if !byTime { cursor = answer.header("Almanac-Cursor") ?? cursor }
            if isLast { break }
            isLast = isOver.isSet
        }
        let keys = copy.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return "[" + keys.compactMap { copy[$0] }.joined(separator: ",") + "]"
    }
}
