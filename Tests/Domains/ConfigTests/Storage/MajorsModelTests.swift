import AlmanacForms
import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Compares random histories with a minimal model of the API contract.
@Suite(.database(.migrated)) struct MajorsModelTests {
    private static let empty = """
        truncate config_changes, config_releases, config_majors, config_entries;
        update config_head set revision = 0, major = 0, minor = 0, patch = 0, oldest_revision = 0,
            rewritten_revision = 0, lineage = substr(replace(gen_random_uuid()::text, '-', ''), 1, 8)
        """

    @Test func `every major sees what the rules say, after every release of random histories`() throws {
        let master = Randomness()
        let instance = try ConfigInstance()
        let superuser = try Connection(instance.database.settings)
        for history in 0..<TestDepth.runs(quick: 15, standard: 15, long: 400) {
            var random = Randomness(seed: master.seed &+ UInt64(history))
            try superuser.execute(script: Self.empty)
            try instance.service.refresh()
            try #require(instance.snapshot.entries.isEmpty)
            var run = HistoryRun(instance, note: "ALMANAC_TEST_SEED=\(random.seed) history 0 of that seed")
            for _ in 0..<30 { try run.release(&random) }
            try run.expectPast()
        }
    }
}

/// A history of releases made both by the writer and in the model.
private struct HistoryRun {
    private let instance: ConfigInstance
    private let note: Comment
    private var model = MajorsModel()
    private var changes = RandomChanges()
    /// The expected view of each major at each revision.
    private var past: [(revision: Int64, major: Int, values: [String: JSONValue])] = []
    /// The state of a client of each major that only follows deltas, with its revision.
    private var followers: [Int: (revision: Int64, values: [String: JSONValue])] = [:]
    private var parsed: [[UInt8]: JSONValue] = [:]

    init(_ instance: ConfigInstance, note: String) {
        self.instance = instance
        self.note = Comment(rawValue: note)
    }

    mutating func release(_ random: inout Randomness) throws {
        let edits = changes.next(&random).edits
        let outcome = try instance.service.writer.release(
            ReleaseWriter.Intent(
                author: Author("test", .token), keys: .all, message: "", precondition: .none), keys: edits.map(\.key)
        ) { _, _, _ in edits }
        let isReleased = model.release(edits)
        #expect(outcome.entries.isEmpty == !isReleased, note)
        try instance.service.refresh()
        let snapshot = instance.snapshot
        let version = "\(model.version.major).\(model.version.minor).\(model.version.patch)"
        try #require("\(snapshot.head.version)" == version, note)
        #expect(try values(snapshot.view(of: nil).live) == model.values(of: model.version.major), note)
        #expect(snapshot.majors.keys.sorted() == model.majors.keys.sorted(), note)
        for major in model.majors.keys {
            let expected = model.values(of: major)
            try #require(try values(snapshot.view(of: major).live) == expected, note)
            if isReleased { past.append((snapshot.head.revision, major, expected)) }
            if Bool.random(using: &random) { try follow(major, snapshot) }
        }
    }

    /// Applies a delta to a client of a major.
    private mutating func follow(_ major: Int, _ snapshot: Snapshot) throws {
        var follower = followers[major] ?? (0, [:])
        for entry in snapshot.view(of: major).changed(after: follower.revision) {
            follower.values[entry.key] = try entry.value.map { try value($0) }
        }
        follower.revision = snapshot.head.revision
        try #require(follower.values == model.values(of: major), note)
        followers[major] = follower
    }

    /// Compares the history's past states with the states recorded at the time.
    mutating func expectPast() throws {
        try instance.pool.withConnection { connection in
            for then in past {
                var seen: [String: JSONValue] = [:]
                for entry in try ConfigHistory.entries(at: then.revision, major: then.major, on: connection) {
                    seen[entry.key] = try value(entry.value ?? [])
                }
                try #require(seen == then.values, "\(note) at \(then.revision) for \(then.major)")
            }
        }
    }

    private mutating func values(_ entries: [Entry]) throws -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for entry in entries { values[entry.key] = try value(entry.value ?? []) }
        return values
    }

    private mutating func value(_ bytes: [UInt8]) throws -> JSONValue {
        if let known = parsed[bytes] { return known }
        let value = try JSONValue(parsing: bytes)
        parsed[bytes] = value
        return value
    }
}
