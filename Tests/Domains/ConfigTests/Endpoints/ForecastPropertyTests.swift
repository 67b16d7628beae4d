import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Makes random changes to an app's config and compares each with its forecast.
@Suite(.database(.migrated)) struct ForecastPropertyTests {
    /// The number of changes in a run.
    private static let changes = TestDepth.runs(quick: 200, standard: 400, long: 2000)
    private static let changesOfHistory = 50
    /// The seeds with which a history of flags once failed. Every run starts with them.
    private static let failedSeeds: [UInt64] = [5_655_775_307_238_282_936]

    private static let empty = """
        truncate config_changes, config_releases, config_majors, config_entries;
        update config_head set revision = 0, major = 0, minor = 0, patch = 0, oldest_revision = 0,
            rewritten_revision = 0, lineage = substr(replace(gen_random_uuid()::text, '-', ''), 1, 8)
        """

    @Test func `the forecast equals what then happens`() throws { try run(hasFlags: false) }

    @Test func `the forecast equals what then happens to flags, and pinned builds keep what they knew`() throws {
        try run(hasFlags: true)
    }

    private func run(hasFlags: Bool) throws {
        let master = Randomness()
        let instance = try ConfigInstance()
        let superuser = try Connection(instance.database.settings)
        var outcomesSeen: Set<String> = []
        // Each forecast of flags evaluates ten thousand contexts, so that test makes fewer changes.
        let changes = hasFlags ? Self.changes / 6 : Self.changes
        let histories = (changes + Self.changesOfHistory - 1) / Self.changesOfHistory
        let seeds = (0..<histories).map { master.seed &+ UInt64($0) }
        for seed in (hasFlags ? Self.failedSeeds : []) + seeds {
            var random = Randomness(seed: seed)
            try superuser.execute(script: Self.empty)
            try instance.service.refresh()
            var run = try ForecastRun(
                instance, hasFlags: hasFlags, note: "ALMANAC_TEST_SEED=\(random.seed) history 0 of that seed")
            for _ in 0..<min(Self.changesOfHistory, changes) { try run.change(&random) }
            outcomesSeen.formUnion(run.outcomesSeen)
        }
        // The set lists every outcome that the generators can cause. Eight histories have missed the rarest one, so
        // only the many histories of a long run must reach all.
        var all: Set = [
            "added", "removed", "retyped", "member-removed", "member-added", "value-changed", "description-changed",
            "kept", "received", "refused", "restored",
        ]
        all.formUnion(hasFlags ? ["kind", "split", "moved"] : ["member-retyped", "warned"])
        if TestDepth.hasOwnNumbers, histories > 20 { #expect(all.subtracting(outcomesSeen).isEmpty, "\(master.note)") }
    }
}

/// A history of changes. Compares each client's view before and after every change with the forecast.
private struct ForecastRun {
    private let instance: ConfigInstance
    private let note: String
    private let hasFlags: Bool
    /// The scope of the reads: flags require a token.
    private var reader: Scope? { hasFlags ? .configRead : nil }
    private let flagChanges = FlagChanges()
    private var changes = AppConfigChanges()
    private var kindDeck = Deck(25)
    /// Each client's view by major, with 0 for a client that pins none.
    private var seen: [Int: [String: Seen]] = [0: [:]]
    /// The state of a client of each major that only follows deltas.
    private var followers: [Int: (cursor: String, entries: [String: Seen])] = [:]

    /// The keys that an administrator has purged.
    private var purged: Set<String> = []

    /// The outcomes that have occurred so far.
    private(set) var outcomesSeen: Set<String> = []

    /// A client's view of one key.
    private struct Seen: Equatable {
        let value: JSONValue
        let kind: JSONValue?
        let updatedAt: JSONValue
    }

    init(_ instance: ConfigInstance, hasFlags: Bool, note: String) throws {
        self.instance = instance
        self.hasFlags = hasFlags
        self.note = note
    }

    mutating func change(_ random: inout Randomness) throws {
        try purgeOrRetire(&random)
        let values = seen[0, default: [:]].mapValues(\.value)
        let revision = instance.snapshot.head.revision
        let call =
            switch kindDeck.draw(&random) {
            case 0 where revision > 1: changes.restore(before: revision, &random)
            case 1: AppConfigChanges.refused
            case 2...17 where hasFlags: flagChanges.next(over: values, &random)
            default: try changes.next(over: values, &random)
            }
        let guarantees = FlagGuarantees(instance.snapshot)
        let failureNote = Comment(rawValue: "\(note): \(call.method) \(call.path) \(call.body)")
        let forecast = try send(call, trial: true)
        let cursor = forecast[member: "cursor"]?.stringValue ?? forecast["Almanac-Cursor"] ?? instance.snapshot.cursor
        let done = try send(call, trial: false, ("If-Match", "\"\(cursor)\""))
        try #require(forecast.outcome == done.outcome, "\(failureNote) \(forecast.body) \(done.body)")
        guard done.status == 200 else {
            outcomesSeen.insert("refused")
            return
        }
        if call.method == "POST" { outcomesSeen.insert("restored") }
        let before = seen
        try readViews()
        try guarantees.expectKept(in: instance.snapshot, purged: call.method == "POST" ? purged : [], failureNote)
        try expectVersion(forecast, done, failureNote)
        try expectChanges(forecast, done, before, failureNote)
        try expectMajors(forecast, before, failureNote)
        try follow(failureNote)
    }

    /// Occasionally purges a key or retires a major, the more often the more majors exist.
    private mutating func purgeOrRetire(_ random: inout Randomness) throws {
        if Int.random(in: 0..<30, using: &random) == 0, let key = seen[0]?.keys.sorted().randomElement(using: &random) {
            _ = try instance.call("DELETE", "/config/\(key)?purge=true").expecting(200)
            purged.insert(key)
        }
        let older = seen.keys.filter { $0 > 0 }.sorted().dropLast()
        if older.count > Int.random(in: 2..<8, using: &random), let major = older.randomElement(using: &random) {
            _ = try instance.call("DELETE", "/majors/\(major)").expecting(200)
            followers[major] = nil
        }
        try readViews()
    }

    private func send(
        _ call: AppConfigChanges.Call, trial: Bool, _ headers: (String, String)...
    ) throws -> TestResponse {
        try instance.call(
            call.method, call.path(trial: trial), bytes: Array(call.body.utf8), as: .configWrite, headers)
    }

    /// Reads the config as a client of each major.
    private mutating func readViews() throws {
        let majors = instance.snapshot.majors.values.filter { $0.retiredAt == nil }.map(\.newest.major)
        var seen: [Int: [String: Seen]] = [:]
        for major in [0] + majors {
            let path = "/config" + (major == 0 ? "" : "?version=\(major)")
            seen[major] = try entries(try instance.call("GET", path, as: reader).expecting(200)).compactMapValues { $0 }
        }
        self.seen = seen
    }

    private func entries(_ answer: TestResponse) throws -> [String: Seen?] {
        var entries: [String: Seen?] = [:]
        for entry in try #require(try answer.json.arrayValue) {
            let key = try #require(entry.objectValue?["key"]?.stringValue)
            let time = try #require(entry.objectValue?["updated_at"])
            entries[key] = .some(
                entry.objectValue?["value"].map {
                    Seen(value: $0, kind: entry.objectValue?["kind"], updatedAt: time)
                })
        }
        return entries
    }

    private mutating func expectVersion(_ forecast: TestResponse, _ done: TestResponse, _ failureNote: Comment) throws {
        let from = try #require(forecast[member: "current_version"]?.stringValue)
        let to = try #require(done[member: "version"]?.stringValue)
        try #require(forecast[member: "version"] == .some(.string(to)), failureNote)
        let numbers = [from, to].map { $0.split(separator: ".").compactMap { Int($0) } }
        let step = zip(["major", "minor", "patch"], zip(numbers[0], numbers[1])).first { $1.0 != $1.1 }?.0 ?? "none"
        // The first release is always 1.0.0.
        if from != "0.0.0" { try #require(forecast[member: "bump"] == .some(.string(step)), failureNote) }
        let moved = step == "none" ? 0 : 1
        let base = try #require(forecast[member: "revision"]?.numberValue?.int64)
        try #require(done[member: "revision"] == .some(.number(JSONNumber(base + Int64(moved)))), failureNote)
        if done[member: "warnings"] != nil { outcomesSeen.insert("warned") }
        // Only the forecast warns about contexts that would get another variant.
        let warnings = try #require(forecast[member: "warnings"]?.arrayValue)
        let otherWarnings = warnings.filter { $0.stringValue?.contains("sampled") != true }
        if otherWarnings.count < warnings.count { outcomesSeen.insert("moved") }
        try #require(otherWarnings == done[member: "warnings"]?.arrayValue ?? [], failureNote)
    }

    private mutating func expectChanges(
        _ forecast: TestResponse, _ done: TestResponse, _ before: [Int: [String: Seen]], _ failureNote: Comment
    ) throws {
        let changes = try changes(of: forecast)
        let entries = try objects(done[member: "entries"])
        try #require(changes.map { $0["key"] } == entries.map { $0["key"] }, failureNote)
        for (change, entry) in zip(changes, entries) {
            let key = try #require(change["key"]?.stringValue)
            outcomesSeen.insert(change["reason"]?.stringValue ?? "")
            try #require(change["after"] == entry["value"], failureNote)
            try #require(change["before"] == before[0]?[key]?.value, failureNote)
            try #require(change["kind"] == entry["kind"], failureNote)
            if change["kind"] != nil { outcomesSeen.insert("kind") }
            let reasons = try reasons(of: change)
            try #require(reasons.contains(reason(of: change)), "\(failureNote): \(reason(of: change))")
            if change["after"] != nil {
                let description = try instance.call("GET", "/config/\(key)")[member: "description"]
                try #require(change["description"] == description, failureNote)
            }
        }
        guard !changes.isEmpty else { return }
        // The history must record the same changes.
        let revision = try #require(done.revision)
        let release = try instance.call("GET", "/releases/\(revision)").expecting(200)
        let written = try objects(release[member: "changes"])
        for name in ["key", "kind", "kind_before", "before", "after", "description", "description_before"] {
            try #require(written.map { $0[name] } == changes.map { $0[name] }, failureNote)
        }
    }

    private func changes(of forecast: TestResponse) throws -> [JSONObject] { try objects(forecast[member: "changes"]) }

    private func objects(_ array: JSONValue?) throws -> [JSONObject] {
        try #require(array?.arrayValue).compactMap { $0.objectValue }
    }

    private func reason(of change: JSONObject) -> String {
        ["bump", "reason", "path", "from", "to"].compactMap { change[$0]?.stringValue }.joined(separator: " ")
    }

    /// Returns the reasons that the API contract requires for the change of an entry, by its kind.
    private func reasons(of change: JSONObject) throws -> [String] {
        guard let before = change["before"], let after = change["after"], let kind = change["kind"]?.stringValue else {
            if let was = change["kind_before"]?.stringValue { return ["major retyped \(was) value"] }
            return try reasons(change["before"], change["after"])
        }
        if let was = change["kind_before"]?.stringValue { return ["major retyped \(was) \(kind)"] }
        let part = kind == "flag" ? "variants" : "$evaluators"
        func known(_ value: JSONValue) -> JSONValue {
            let members = value.objectValue?[part]?.objectValue?.members ?? []
            // Clients know the names of shared rules, and the names and values of variants.
            let kept = members.map { (name: $0.name, value: kind == "flag" ? $0.value : .null) }
            return [part: .object(JSONObject(kept))]
        }
        let (old, new) = (known(before), known(after))
        if old != new { return try reasons(old, new) }
        return [before == after ? "patch description-changed" : "patch value-changed"]
    }

    /// Returns the reasons that the API contract requires for the change of a plain value, from all paths of both
    /// values.
    private func reasons(_ before: JSONValue?, _ after: JSONValue?) throws -> [String] {
        guard let before else { return ["minor added"] }
        guard let after else { return ["major removed"] }
        let (old, new) = (places(before), places(after))
        var reasons: [String] = []
        for (path, type) in old {
            guard let other = new[path] else {
                reasons.append("major member-removed \(path)")
                continue
            }
            if other == type { continue }
            let what = path.isEmpty ? "retyped" : "member-retyped \(path)"
            reasons.append("major \(what) \(type.rawValue) \(other.rawValue)")
        }
        if !reasons.isEmpty { return reasons }
        reasons = new.keys.filter { old[$0] == nil }.map { "minor member-added \($0)" }
        if !reasons.isEmpty { return reasons }
        return [before == after ? "patch description-changed" : "patch value-changed"]
    }

    /// Returns the type at each JSON Pointer whose removal counts like the removal of a key.
    private func places(_ value: JSONValue, at path: String = "") -> [String: JSONType] {
        var places = [path: value.type]
        for member in value.objectValue?.members ?? [] {
            let name = member.name.replacing("~", with: "~0").replacing("/", with: "~1")
            places.merge(self.places(member.value, at: path + "/" + name)) { $1 }
        }
        return places
    }

    /// Checks that each pinned client sees unchanged values, except for the keys that the forecast says it receives.
    private mutating func expectMajors(
        _ forecast: TestResponse, _ before: [Int: [String: Seen]], _ failureNote: Comment
    )
        throws
    {
        let majors = try objects(forecast[member: "majors"])
        try #require(
            majors.compactMap { $0["major"]?.numberValue?.int64 }
                == before.keys.filter { $0 > 0 }.sorted().map(Int64.init), failureNote)
        let changes = try changes(of: forecast)
        for forecast in majors {
            let major = Int(try #require(forecast["major"]?.numberValue?.int64))
            let (old, new) = (before[major, default: [:]], seen[major, default: [:]])
            let receives = try #require(forecast["receives"]?.arrayValue).map(\.stringValue)
            if !receives.isEmpty { outcomesSeen.insert("received") }
            var expected = old.mapValues(\.value)
            for change in changes {
                let key = try #require(change["key"]?.stringValue)
                if receives.contains(key) { expected[key] = change["after"] }
            }
            try #require(new.mapValues(\.value) == expected, "\(failureNote) for \(major)")
            let kept =
                try changes.compactMap { change in
                    let key = try #require(change["key"]?.stringValue)
                    guard change["reason"] != "description-changed", let had = old[key], new[key] == had,
                        seen[0]?[key]?.value != had.value
                    else { return nil }
                    return (key: key, value: had.value)
                } as [(key: String, value: JSONValue)]
            let lacked =
                try changes.compactMap { change in
                    let key = try #require(change["key"]?.stringValue)
                    if change["reason"] == "description-changed" { return nil }
                    return new[key] == nil && seen[0]?[key] != nil ? key : nil
                } as [String]
            let keeps = try objects(forecast["keeps"])
            if !keeps.isEmpty { outcomesSeen.insert("kept") }
            if !keeps.isEmpty, changes.allSatisfy({ $0["bump"] != "major" }) { outcomesSeen.insert("split") }
            try #require(keeps.map { $0["key"]?.stringValue } == kept.map(\.key), "\(failureNote) for \(major)")
            try #require(keeps.map { $0["value"] } == kept.map(\.value), "\(failureNote) for \(major)")
            let withheld = try objects(forecast["withheld"]).compactMap { $0["key"]?.stringValue }
            try #require(withheld == lacked, "\(failureNote) for \(major)")
        }
    }

    /// Applies a delta to the client of each major and compares it with the full state.
    private mutating func follow(_ failureNote: Comment) throws {
        for major in seen.keys where major > 0 {
            let since = followers[major].map { "&since=\($0.cursor)" } ?? ""
            let answer = try instance.call("GET", "/config?version=\(major)\(since)", as: reader).expecting(200)
            var entries = answer["Almanac-Full"] == "true" ? [:] : followers[major]?.entries ?? [:]
            for (key, entry) in try self.entries(answer) { entries[key] = entry }
            try #require(entries == seen[major], "\(failureNote) for \(major)")
            followers[major] = (try #require(answer["Almanac-Cursor"]), entries)
        }
    }
}
