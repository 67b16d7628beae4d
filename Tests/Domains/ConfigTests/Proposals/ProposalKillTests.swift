import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Tests that kill a process between any two statements of a step of a proposal.
@Suite(.database(.migrated), .blocking) struct ProposalKillTests {
    /// A step, with the rows that it adds.
    enum Step: CaseIterable {
        case apply, applyDue, review, rebase, change, submit

        /// The status of the same request after the step; nil for the clock.
        var repeatedStatus: String? {
            switch self {
            case .apply: "409"
            case .review: "201"
            case .rebase: "200"
            case .change, .submit: "412"
            case .applyDue: nil
            }
        }

        var added: [String: Int] {
            switch self {
            // The release and the proposal have a line in the audit log and an event each.
            case .apply, .applyDue: ["config_releases": 1, "config_changes": 4, "audit_log": 2, "deliveries": 2]
            case .review: ["proposal_reviews": 1, "audit_log": 1, "deliveries": 1]
            case .rebase, .change, .submit: ["audit_log": 1, "deliveries": 1]
            }
        }

        /// The names of some statements before which the process must be killed.
        var statements: Set<String> {
            let all: Set<String> = ["config_head_lock", "proposals_lock", "audit_record", "hook_event_add", "commit"]
            return switch self {
            case .apply, .applyDue:
                all.union(["config_head_advance", "config_release_insert", "config_changes_insert", "proposals_update"])
            case .review: all.union(["proposal_reviews_insert"])
            case .rebase, .change: all.union(["proposal_edits_delete", "proposal_edits_insert", "proposals_update"])
            case .submit: all.union(["proposals_update"])
            }
        }
    }

    private static let tables = [
        "config_head", "config_releases", "config_changes", "config_entries", "config_majors", "proposals",
        "proposal_edits", "proposal_reviews", "audit_log", "deliveries",
    ]
    /// The tables from which no step removes rows.
    private static let growing = [
        "config_releases", "config_changes", "proposals", "proposal_reviews", "audit_log", "deliveries",
    ]
    private static let time = #"{"apply_at":"2099-12-24T09:00:00+01:00","zone":"Europe/Berlin"}"#

    @Test(arguments: Step.allCases)
    func `a process that is killed between any two statements has done all of a step or nothing`(_ step: Step) throws {
        let team = try ProposalTeam()
        let (number, task) = try prepare(step, team)
        let (proxy, folder) = (try KillingProxy(), try TemporaryFolder())
        let database = proxy.conninfo(of: team.instance.database, user: TestDatabase.worker)
        let settings: JSONValue = ["staging": ["database": .string(database), "approvals": ["required": 1]]]
        let file = try folder.write("environments.json", settings.serialized())
        func run(killingAfter limit: Int?) throws -> KillingProxy.Run {
            try proxy.run(
                Checkout.program("almanac-worker-task"), [file] + task, killingAfter: limit, from: "begin_read_write")
        }
        let observer = try Connection(team.instance.database.settings)
        let before = try rows(observer)
        var killedBefore: [String] = []
        var after = before
        while after == before {
            let killed = try run(killingAfter: killedBefore.count)
            after = try rows(observer)
            // The commit may be the last statement.
            try #require(killed.killedBefore != nil || after != before, "\(killed.statements): \(killed.output)")
            killedBefore += [killed.killedBefore].compactMap { $0 }
            // The commit and nothing else makes the step visible.
            #expect((after != before) == killed.statements.contains("commit"), "\(killed.statements)")
        }
        #expect(step.statements.subtracting(killedBefore) == [], "\(killedBefore)")
        for table in Self.growing {
            let added = (after[table]?.count ?? 0) - (before[table]?.count ?? 0)
            #expect(added == step.added[table] ?? 0, "\(table)")
        }
        try check(step, number, team)
        // The same task again does not repeat the step.
        let repeated = try run(killingAfter: nil)
        #expect(repeated.output.split(separator: "\n").map(String.init) == step.repeatedStatus.map { [$0] } ?? [])
        #expect(try rows(observer)["config_releases"] == after["config_releases"])
        try check(step, number, team)
    }

    /// Returns the rows of each table as text.
    private func rows(_ observer: Connection) throws -> [String: [String]] {
        let texts = Self.tables.map { "array(select t::text from \($0) t order by t::text) as \($0)" }
        let row = try observer.run(
            Statement("-- name: test_rows\nselect \(texts.joined(separator: ", "))")
        ).single("the tables")
        return try Dictionary(uniqueKeysWithValues: Self.tables.map { ($0, try row.textArray($0)) })
    }

    /// Makes a proposal that is ready for a step. Returns the number, and the task of a worker that takes the step.
    private func prepare(_ step: Step, _ team: ProposalTeam) throws -> (number: Int64, task: [String]) {
        try team.addHook()
        // An entry comes, one goes, and two change.
        let patch = #"{"banner":"Winter sale","checkout":{"defaultVariant":"on"},"new":1,"theme":null}"#
        let number = try team.propose(patch)
        let path = "/proposals/\(number)"
        func request(_ person: String, _ method: String, _ path: String, _ body: String, _ match: String?) throws
            -> [String]
        {
            let authorization = try #require(team.people[person])
            return ["request", method, path, body, authorization] + (match.map { ["\"\($0)\""] } ?? [])
        }
        switch step {
        case .apply:
            try team.review(number, "approve", by: "cleo").expecting(201)
            let effect = try team.member("effect", of: number).stringValue
            return (number, try request("ada", "POST", path + "/apply", "", effect))
        case .applyDue:
            try team.change(number, Self.time, by: "ada").expecting(200)
            try team.makeDue(number)
            try team.review(number, "approve", by: "cleo").expecting(201)
            return (number, ["apply-due"])
        case .review:
            let effect = try team.member("effect", of: number).stringValue
            return (number, try request("cleo", "POST", path + "/reviews", #"{"verdict":"approve"}"#, effect))
        case .rebase:
            try team.release(#"{"banner":"Autumn sale"}"#)
            return (number, try request("ben", "POST", path + "/rebase", #"{"keep":{"banner/":"mine"}}"#, nil))
        case .change:
            let body = #"{"edits":[{"key":"banner","path":"","after":"Sale"}]}"#
            return (number, try request("ben", "PATCH", path, body, "2"))
        case .submit:
            try team.step("recall", number, by: "ada").expecting(200)
            return (number, try request("ada", "POST", path + "/submit", "", "3"))
        }
    }

    /// Compares the proposal and the config with the result of a step.
    private func check(_ step: Step, _ number: Int64, _ team: ProposalTeam) throws {
        let proposal = try team.proposal(number)
        let isApplied = step == .apply || step == .applyDue
        #expect(proposal["state"] == (isApplied ? "applied" : "open"))
        let unapplied: JSONValue = step == .rebase ? "Autumn sale" : "Summer sale"
        #expect(try team.value("banner") == (isApplied ? "Winter sale" : unapplied))
        #expect(try team.value("new") == (isApplied ? 1 : nil))
        switch step {
        case .apply, .applyDue:
            let releases = try team.instance.query(
                "test_releases", "select revision from config_releases where proposal = $1", .bigint(number))
            let revision = proposal["applied_revision"]?.numberValue?.int64
            #expect(try releases.map { try $0.bigint("revision") } == [revision])
        case .review: #expect(proposal["approved"] == true)
        case .rebase: #expect(proposal["conflicted"] == false && proposal["round"] == 2)
        case .change: #expect(proposal["edits"]?.arrayValue?.count == 1 && proposal["round"] == 2)
        case .submit: #expect(proposal["version"] == 4)
        }
    }
}
