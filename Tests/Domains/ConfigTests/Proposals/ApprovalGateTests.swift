import AlmanacForms
import AlmanacHTTP
import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacProposals
import AlmanacTestSupport
import Synchronization
import Testing

@testable import AlmanacConfigDomain

/// Tests that no call makes a release without the approvals that it needs.
@Suite(.database(.migrated)) struct ApprovalGateTests {
    /// The writes of the API, with bodies that change something.
    private static let writes: [(method: String, path: String, body: String)] = [
        ("POST", "/config", #"{"key":"new","value":1}"#), ("PUT", "/config/banner", #"{"value":"x"}"#),
        ("PUT", "/config/banner", #"{"value":"Summer sale","description":"d"}"#), ("DELETE", "/config/banner", ""),
        ("PATCH", "/config", #"{"banner":"x"}"#), ("PATCH", "/config?replace=true", #"{"banner":"x"}"#),
        ("PATCH", "/config?replace=true&form=entries", #"{"banner":{"value":"x"}}"#),
        ("PUT", "/flags.json", #"{"flags":{}}"#), ("POST", "/flags/resting/enable", ""),
        ("POST", "/releases/1/restore", ""),
        // An import, a promotion, a ramp and another split, as the console and the command line send them.
        (
            "PATCH", "/config?replace=true&form=entries",
            #"{"imported":{"value":\#(ProposalTeam.flag),"kind":"flag","description":"From LaunchDarkly"}}"#
        ),
        (
            "PATCH", "/config?replace=true&form=entries",
            #"{"theme":{"value":{"dark":true}},"pay.limit":{"value":200},"banner":null}"#
        ),
        ("PATCH", "/config", #"{"checkout":{"targeting":{"fractional":[["on",20],["off",80]]}}}"#),
        ("PATCH", "/config", #"{"_flags":{"fractional":2}}"#),
    ]

    @Test func `every write needs approvals and can be proposed instead`() throws {
        let team = try ProposalTeam()
        try team.release(#"{"later":1}"#)
        let flag = ProposalTeam.flag.replacing("ENABLED", with: "DISABLED")
        try team.put("resting", #"{"value":\#(flag),"kind":"flag"}"#)
        try team.put("later", #"{"value":2}"#)
        let revision = try team.call("eve", "GET", "/config").revision
        let workers = [team, try team.onAnotherWorker()]
        for (index, write) in Self.writes.enumerated() {
            let note = Comment("\(write.method) \(write.path) \(write.body)")
            let refused = try workers[index % 2].call("ada", write.method, write.path, write.body)
            #expect(refused.outcome == "403 approval-required", note)
            #expect(refused[member: "unmet"]?.arrayValue?.isEmpty == false, note)
            let path = write.path + (write.path.contains("?") ? "&" : "?") + "propose=true"
            #expect(try team.call("ada", write.method, path, write.body).status == 201, note)
        }
        for path in ["/config/banner?purge=true", "/majors/1"] {
            #expect(try team.instance.call("DELETE", path).outcome == "403 bypass-required", "\(path)")
        }
        #expect(try team.call("eve", "GET", "/config").revision == revision)
        // A new write that this table lacks fails here.
        let changing = ConfigRoutes.all.filter {
            $0.method != "GET" && !$0.pattern.contains("/proposals") && !$0.pattern.contains("/imports")
                && !$0.pattern.hasSuffix("/acknowledge")
        }
        #expect(
            Set(
                Self.writes.map { $0.method + " " + Self.pattern($0.path) } + [
                    "DELETE /{environment}/majors/{major}", "POST /{environment}/flags/{key}/disable",
                ]) == Set(changing.map { "\($0.method) \($0.pattern)" }))
    }

    private static func pattern(_ path: String) -> String {
        let path = path.split(separator: "?")[0]
        switch path.split(separator: "/").map(String.init) {
        case let parts where parts.first == "config" && parts.count == 2: return "/{environment}/config/{key}"
        case let parts where parts.first == "flags" && parts.count == 3: return "/{environment}/flags/{key}/\(parts[2])"
        case let parts where parts.first == "releases": return "/{environment}/releases/{revision}/restore"
        default: return "/{environment}\(path)"
        }
    }

    @Test func `flags may be switched off, and the newest release undone`() throws {
        let team = try ProposalTeam()
        #expect(try team.call("ben", "POST", "/flags/checkout/disable").status == 200)
        #expect(try team.call("ben", "POST", "/flags/checkout/enable").outcome == "403 approval-required")
        // The release that switched the flag off would be undone by switching it on.
        #expect(try team.call("ben", "POST", "/releases/2/restore").outcome == "403 approval-required")
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        let released = try #require(try team.apply(number).expecting(200).revision)
        #expect(try team.call("ben", "POST", "/releases/\(released - 1)/restore").status == 200)
        #expect(try team.value("banner") == "Summer sale")
        // An undo is not undone.
        #expect(try team.call("ben", "POST", "/releases/\(released)/restore").outcome == "403 approval-required")
        let rows = try team.instance.query("test_exemptions", "select exemption from config_releases order by revision")
        #expect(try rows.map { try $0.optionalText("exemption") } == [nil, nil, "disable", nil, "undo"])
        let strict = try ProposalTeam(exempt: [])
        #expect(try strict.call("ben", "POST", "/flags/checkout/disable").outcome == "403 approval-required")
    }

    @Test func `a purge and a retirement need a reason to bypass approvals, and wait for an acknowledgement`() throws {
        let team = try ProposalTeam()
        // The first major, with the banner as it was.
        try team.release(#"{"theme":null}"#)
        for path in ["/config/banner?purge=true", "/majors/1"] {
            let refused = try team.call("ivy", "DELETE", path + (path.contains("?") ? "&" : "?") + "bypass=true")
            #expect(refused.outcome == "403 scope-too-small", "a token signs nobody in")
            try team.bypass("DELETE", path).expecting(200)
        }
        let rows = try team.instance.query(
            "test_bypasses", "select bypass_reason from config_releases order by revision desc limit 3")
        #expect(try rows.map { try $0.optionalText("bypass_reason") } == ["The shop is down", "The shop is down", nil])
        try team.instance.service.applyDueProposals()
        #expect(team.instance.service.unreviewedReleases.load(ordering: .relaxed) == 2)
    }

    @Test func `a bypass overrides missing approvals and a rejection, and no conflict`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        try team.review(number, "reject", by: "dan").expecting(201)
        try team.release(#"{"banner":"Autumn sale"}"#)
        #expect(try team.bypass(number).outcome == "409 proposal-conflict")
        try team.release(#"{"banner":"Summer sale"}"#)
        let released = try #require(try team.bypass(number).expecting(200).revision)
        #expect(try team.value("banner") == "Winter sale")
        let rows = try team.instance.query(
            "test_bypass", "select bypass_reason, proposal from config_releases where revision = $1", .bigint(released))
        #expect(try rows[0].text("bypass_reason") == "The shop is down" && rows[0].bigint("proposal") == number)
        #expect(try team.bypass(number).outcome == "409 proposal-state")
    }

    @Test(arguments: [
        ("update people set removed_at = now() where subject = 'cleo'", "403 approval-required"),
        ("update proposal_reviews set withdrawn_at = now()", "403 approval-required"),
        ("update proposals set state = 'closed', closed_as = 'withdrawn'", "409 proposal-state"),
        (#"update config_entries set value = '"Autumn sale"' where key = 'banner'"#, "409 proposal-conflict"),
    ])
    func `approvals and values are read while the head is locked`(change: String, outcome: String) throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale","theme":{"dark":true}}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        #expect(try team.whileHeadIsLocked(change) { try team.apply(number).outcome } == outcome)
        #expect(try team.call("eve", "GET", "/config").revision == 2)
    }

    @Test func `a policy that is tightened or loosened counts at once`() throws {
        let team = try ProposalTeam()
        let strict = try team.onAnotherWorker { policy in
            policy.rules = KeyPattern("pay.*").map { [ApprovalPolicy.Rule(keys: $0, required: 2)] } ?? []
        }
        let number = try team.propose(#"{"pay.limit":150}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        let refused = try strict.apply(number)
        #expect(refused.outcome == "403 approval-required")
        #expect(refused[member: "unmet"]?.description == #"[{"keys":["pay.limit"],"required":2,"has":1}]"#)
        try strict.review(number, "approve", by: "dan").expecting(201)
        #expect(try strict.apply(number).status == 200)
        let second = try strict.propose(#"{"pay.limit":200}"#)
        try strict.review(second, "approve", by: "cleo").expecting(201)
        #expect(try strict.apply(second).outcome == "403 approval-required")
        #expect(try team.apply(second).status == 200)
    }

    @Test func `the approval of a person who was removed does not count`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        try team.instance.asSuperuser("update people set removed_at = now() where subject = 'cleo'")
        #expect(try team.apply(number).outcome == "403 approval-required")
    }

    @Test func `an approval is void when a shared rule that the flag reads changes`() throws {
        let team = try ProposalTeam()
        let rule = #"{"$evaluators":{"beta":{"in":["@example.com",{"var":"email"}]}}}"#
        try team.release(#"{"_flags":\#(rule)}"#)
        let number = try team.propose(
            #"{"checkout":{"targeting":{"if":[{"$ref":"beta"},"on","off"]}}}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        #expect(try team.member("approved", of: number) == true)
        try team.release(#"{"_flags":{"$evaluators":{"other":{"==":[1,1]}}}}"#)
        #expect(try team.member("approved", of: number) == true)
        try team.release(#"{"_flags":{"$evaluators":{"beta":{"in":["@",{"var":"email"}]}}}}"#)
        #expect(try team.member("approved", of: number) == false)
    }
}
