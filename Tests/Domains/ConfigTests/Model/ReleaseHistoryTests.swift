import AlmanacJSON
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

/// Makes random histories of releases, undos, restores, retirements and purges without a database, and checks what
/// builds of every major see.
@Suite(.blocking) struct ReleaseHistoryTests {
    @Test func `no build loses or misses anything that it can take, in random histories`() throws {
        let master = Randomness()
        for number in 0..<TestDepth.runs(quick: 200, standard: 400, long: 10_000) {
            var random = Randomness(seed: master.seed &+ UInt64(number))
            var history = History(note: "ALMANAC_TEST_SEED=\(random.seed) history 0 of that seed")
            for _ in 0..<25 { try history.step(&random) }
        }
    }
}

private struct History {
    private typealias Values = [String: JSONValue]

    private let note: Comment
    private var rows: [Entry] = []
    private var version = SemanticVersion.unreleased
    /// The majors that are not retired.
    private var majors: [Int] = []
    private var lastID: Int64 = 0
    private var changes = RandomChanges()
    /// The newest config after each release.
    private var past: [Values] = []

    init(note: String) { self.note = Comment(rawValue: note) }

    mutating func step(_ random: inout Randomness) throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...1 where past.count > 1: try restore(past[past.count - 2])
        case 2 where !past.isEmpty: try restore(past.randomElement(using: &random)!)
        case 3 where majors.count > 2: retire(majors.dropLast().randomElement(using: &random)!)
        case 4: try purge(RandomChanges.keys.randomElement(using: &random)!)
        default:
            let edits = changes.next(&random).edits
            try release(edits, withheld: withheld(edits.map(\.key), &random))
        }
    }

    private func values(of major: Int?) throws -> Values {
        var values: Values = [:]
        for row in rows where major.map({ row.majors.contains($0) }) ?? row.isNewest {
            guard let value = try row.content() else { continue }
            #expect(values.updateValue(value, forKey: row.key) == nil, note)
        }
        return values
    }

    private mutating func restore(_ state: Values) throws {
        let removed = Set(try values(of: nil).keys).subtracting(state.keys)
        let edits = state.map { EntryEdit(key: $0, value: $1, description: nil) }
        try release(edits + removed.map { EntryEdit(key: $0, value: nil, description: nil) })
    }

    /// Returns majors from which a quarter of the keys is withheld, as from majors that lack a shared rule.
    private func withheld(_ keys: [String], _ random: inout Randomness) -> ReleasePlan.Withheld {
        var withheld: ReleasePlan.Withheld = [:]
        for key in keys where Int.random(in: 0..<4, using: &random) == 0 {
            for major in majors where Bool.random(using: &random) { withheld[key, default: [:]][major] = "a fault" }
        }
        return withheld
    }

    private mutating func release(_ edits: [EntryEdit], withheld: ReleasePlan.Withheld = [:]) throws {
        let before = try Dictionary(uniqueKeysWithValues: majors.map { ($0, try values(of: $0)) })
        let keys = Set(edits.map(\.key))
        let plan = try ReleasePlan(
            edits, rows: rows.filter { keys.contains($0.key) }, version: version, oldestMajor: majors.first,
            withheld: withheld)
        apply(plan)
        let newest = try values(of: nil)
        past.append(newest)
        for major in majors {
            let held = major < version.major ? Set(withheld.filter { $1[major] != nil }.keys) : []
            try check(before[major], try values(of: major), newest, in: major, plan, withheld: held)
        }
        try #require(try values(of: version.major) == newest, note)
    }

    private mutating func apply(_ plan: ReleasePlan) {
        version = plan.version
        if !plan.changes.isEmpty, majors.last != version.major { majors.append(version.major) }
        let copied = plan.copies.map { copy in
            let source = rows.first { $0.id == copy.row }!
            return row(source.key, copy.majors, source.value)
        }
        rows.removeAll { plan.deleted.contains($0.id) }
        for resized in [plan.shrunk, plan.grown] {
            // PostgreSQL may change the rows of a statement in any order.
            for (id, majors) in resized.shuffled() {
                let place = rows.firstIndex { $0.id == id }!
                rows[place] = rows[place].seen(by: majors)
                let others = rows.filter { $0.id != id && $0.key == rows[place].key }
                #expect(!others.contains { Self.overlap($0.majors, majors) }, note)
            }
        }
        let updated = Set(plan.updates.compactMap(\.row))
        rows.removeAll { updated.contains($0.id) }
        rows +=
            copied
            + (plan.updates + plan.inserts).map { write in
                row(write.key, write.majors, write.value)
            }
    }

    private static func overlap(_ one: MajorRange, _ other: MajorRange) -> Bool {
        one.first < other.end ?? .max && other.first < one.end ?? .max
    }

    private mutating func row(_ key: String, _ majors: MajorRange, _ value: [UInt8]?) -> Entry {
        lastID += 1
        return Entry(
            id: lastID, key: key, majors: majors, value: value, description: "", revision: 1,
            updatedAt: Timestamp(milliseconds: 0))
    }

    private func check(
        _ before: Values?, _ after: Values, _ newest: Values, in major: Int, _ plan: ReleasePlan, withheld: Set<String>
    ) throws {
        guard let before else { return }
        for (key, value) in before {
            let now = try #require(after[key], "\(note): '\(key)' is gone from major \(major)")
            #expect(Self.canTake(value, now), "\(note): '\(key)' broke in major \(major)")
        }
        for change in plan.changes {
            if withheld.contains(change.key) {
                #expect(after[change.key] == before[change.key], note)
                continue
            }
            guard let value = newest[change.key], before[change.key].map({ Self.canTake($0, value) }) ?? true else {
                continue
            }
            #expect(after[change.key] == value, "\(note): '\(change.key)' did not reach major \(major)")
        }
    }

    private static func canTake(_ before: JSONValue, _ after: JSONValue) -> Bool {
        ChangeReason(from: before, to: after).bump < .major
    }

    private mutating func retire(_ major: Int) {
        majors.removeAll { $0 == major }
        rows.removeAll { row in !row.isNewest && !majors.contains { row.majors.contains($0) } }
    }

    private mutating func purge(_ key: String) throws {
        guard rows.contains(where: { $0.key == key }) else { return }
        let isLive = try values(of: nil)[key] != nil
        version = version.bumped(by: isLive ? .major : .patch)
        if majors.last != version.major { majors.append(version.major) }
        rows.removeAll { $0.key == key }
        rows.append(row(key, MajorRange(first: 1), nil))
        for place in past.indices { past[place][key] = nil }
    }
}
