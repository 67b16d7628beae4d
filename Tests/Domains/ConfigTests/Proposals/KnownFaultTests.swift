import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Tests of the faults that public trackers of similar products report. Each test names the report.
@Suite(.database(.migrated), .blocking) struct KnownFaultTests {
    private static let time = #"{"apply_at":"2099-12-24T09:00:00+01:00","zone":"Europe/Berlin"}"#

    /// Flagsmith #7931: a request that only reorders carries whole states along.
    @Test func `a proposal stores only the paths that its authors changed, and reverts no colleague`() throws {
        let team = try ProposalTeam()
        let flag = ProposalTeam.flag.replacing(#""defaultVariant":"off""#, with: #""defaultVariant":"on""#)
        let draft = try team.call("ada", "PUT", "/config/checkout?propose=true", #"{"value":\#(flag),"kind":"flag"}"#)
        #expect(draft[member: "edits"]?.arrayValue?.map { $0.objectValue?["path"] } == ["defaultVariant"])
        let edits = [
            #"{"key":"checkout","path":"defaultVariant","after":"on"}"#, #"{"key":"banner","path":"","after":"Sale"}"#,
        ]
        try team.change(1, #"{"edits":[\#(edits.joined(separator: ","))]}"#, by: "ada").expecting(200)
        try team.step("submit", 1, by: "ada").expecting(200)
        try team.review(1, "approve", by: "cleo").expecting(201)
        try team.release(#"{"checkout":{"metadata":{"owner":"growth"}}}"#)
        let reordered = #"{"edits":[\#(edits.reversed().joined(separator: ","))]}"#
        let answer = try team.change(1, reordered, by: "ben").expecting(200)
        #expect(answer[member: "round"] == 2 && answer[member: "approved"] == true)
        try team.apply(1).expecting(200)
        let stored = try #require(try team.value("checkout")?.objectValue)
        #expect(stored["metadata"] == ["owner": "growth"] && stored["defaultVariant"] == "on")
    }

    /// GrowthBook #6859: a change added to an approved draft, or a rebase, kept the approval, and the armed draft
    /// published itself.
    @Test(arguments: [true, false])
    func `an approval counts for one effect only, so a changed or rebased proposal does not release itself`(
        isRebase: Bool
    ) throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        try team.change(number, Self.time, by: "ada").expecting(200)
        try team.makeDue(number)
        try team.review(number, "approve", by: "cleo").expecting(201)
        #expect(try team.member("approved", of: number) == true)
        if isRebase {
            try team.release(#"{"banner":"Autumn sale"}"#)
            try team.call("ben", "POST", "/proposals/\(number)/rebase", #"{"keep":{"banner/":"mine"}}"#).expecting(200)
        } else {
            let edit = #"{"edits":[{"key":"banner","path":"","after":"Sale"}]}"#
            try team.change(number, edit, by: "ben").expecting(200)
        }
        #expect(try team.member("approved", of: number) == false)
        try team.instance.service.applyDueProposals()
        #expect(try team.value("banner") == (isRebase ? "Autumn sale" : "Summer sale"))
        #expect(try team.member("failure", of: number).objectValue?["reason"] == "not-approved")
    }

    /// GitHub community #58535: an approval is lost although nothing that was reviewed changed.
    @Test func `releases of other keys void nothing, and released edits are dropped`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale","theme":{"dark":true}}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        try team.release(#"{"pay.limit":200}"#)
        #expect(try team.member("approved", of: number) == true)
        try team.release(#"{"theme":{"dark":true}}"#)
        #expect(try team.member("approved", of: number) == true)
        let released = try team.apply(number).expecting(200)
        #expect(released[member: "entries"]?.arrayValue?.count == 1)
        // A proposal whose edits are all released is applied without a release.
        let second = try team.propose(#"{"banner":"Sale"}"#)
        try team.release(#"{"banner":"Sale"}"#)
        try team.review(second, "comment", by: "cleo").expecting(201)
        let revision = try team.call("eve", "GET", "/config").revision
        #expect(try team.apply(second).status == 200)
        #expect(try team.member("state", of: second) == "applied")
        #expect(try team.call("eve", "GET", "/config").revision == revision)
    }

    /// Remote Settings: A edits, B requests the review, A approves.
    @Test func `nobody who contributed an edit approves it, whoever requests the review`() throws {
        let team = try ProposalTeam()
        try team.call("cleo", "PATCH", "/config?propose=true", #"{"banner":"Winter sale"}"#).expecting(201)
        try team.step("submit", 1, by: "ben").expecting(200)
        #expect(try team.review(1, "approve", by: "cleo").outcome == "403 own-contribution")
        #expect(try team.apply(1, by: "ben").outcome == "403 approval-required")
        try team.review(1, "approve", by: "dan").expecting(201)
        #expect(try team.apply(1, by: "ben").status == 200)
    }

    /// Flagsmith #1988: a deleted schedule still ran.
    @Test func `a release whose time is taken off while a worker waits to make it is not made`() throws {
        let team = try ProposalTeam(required: nil)
        for change in [
            """
            apply_at = null, zone = null, apply_author = null, apply_author_kind = null, apply_keys = null,
                apply_issuer = null, apply_subject = null
            """, "state = 'closed', closed_as = 'withdrawn'", "state = 'draft'",
            "apply_at = apply_at + interval '1 day'",
        ] {
            let number = try team.propose(#"{"banner":"Winter sale"}"#)
            try team.change(number, Self.time, by: "ada").expecting(200)
            try team.makeDue(number)
            try team.whileHeadIsLocked("update proposals set \(change) where number = \(number)") {
                try team.instance.service.applyDueProposals()
            }
            #expect(try team.value("banner") == "Summer sale", "\(change)")
            #expect(try team.member("failure", of: number) == .null, "\(change)")
        }
    }

    /// Unleash #5660: the failure says only "conflicts".
    @Test func `a failure names each key with the value before, the proposed one and the present one`() throws {
        let team = try ProposalTeam(required: nil)
        let number = try team.propose(#"{"banner":"Winter sale","pay.limit":150,"theme":{"dark":true}}"#)
        try team.change(number, Self.time, by: "ada").expecting(200)
        try team.makeDue(number)
        try team.release(#"{"banner":"Autumn sale","pay.limit":null}"#)
        try team.instance.service.applyDueProposals()
        let failure = try team.member("failure", of: number).objectValue
        #expect(failure?["reason"] == "conflicted")
        let conflicts = failure?["conflicts"]?.arrayValue?.compactMap(\.objectValue) ?? []
        #expect(
            conflicts.map { [$0["key"], $0["before"], $0["after"], $0["now"]] } == [
                ["banner", "Summer sale", "Winter sale", "Autumn sale"], ["pay.limit", 100, 150, .null],
            ])
        #expect(try team.value("theme") == ["dark": false])
    }

    /// LaunchDarkly: no approval for creating, archiving or deleting a flag. `ApprovalGateTests` has all routes.
    @Test func `a flag is neither created nor archived nor deleted without approvals`() throws {
        let team = try ProposalTeam()
        // The newest release may be undone, which here would delete the flag.
        try team.release(#"{"pay.limit":200}"#)
        for (method, path, body) in [
            ("POST", "/config", #"{"key":"new","kind":"flag","value":\#(ProposalTeam.flag)}"#),
            ("DELETE", "/config/checkout", ""), ("PATCH", "/config", #"{"checkout":null}"#),
            ("PATCH", "/config", #"{"checkout":{"metadata":{"archived":true}}}"#),
        ] {
            #expect(try team.call("ada", method, path, body).outcome == "403 approval-required", "\(method) \(body)")
        }
        #expect(try team.call("eve", "GET", "/config").revision == 3)
    }

    /// GrowthBook: bulk publishing can end half done.
    @Test(arguments: [true, false])
    func `a release of many keys that fails at the last one changes none`(isScheduled: Bool) throws {
        let team = try ProposalTeam(required: nil)
        let number = try team.propose(#"{"banner":"Winter sale","pay.limit":150,"theme":{"dark":true}}"#)
        if isScheduled {
            try team.change(number, Self.time, by: "ada").expecting(200)
            try team.makeDue(number)
        }
        func release() throws {
            if isScheduled { return try team.instance.service.applyDueProposals() }
            try team.apply(number).expecting(200)
        }
        try team.instance.asSuperuser(
            """
            create function test_fail() returns trigger language plpgsql as
                $$ begin raise exception 'disk full'; end $$;
            create trigger test_fail before insert on config_changes for each row
                when (new.key = 'theme') execute function test_fail();
            """)
        #expect(throws: (any Error).self) { try release() }
        #expect(try team.call("eve", "GET", "/config").revision == 2)
        #expect(try team.value("banner") == "Summer sale" && team.value("pay.limit") == 100)
        #expect(try team.member("state", of: number) == "open")
        try team.instance.asSuperuser("drop trigger test_fail on config_changes")
        try release()
        #expect(try team.value("banner") == "Winter sale" && team.value("theme") == ["dark": true])
    }
}
