import AlmanacEnvironments
import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Tests that a proposal is released at its time, once, and only in the name of somebody who may release it.
@Suite(.database(.migrated), .blocking) struct ScheduleTests {
    private static let time = #"{"apply_at":"2099-12-24T09:00:00+01:00","zone":"Europe/Berlin"}"#

    /// Proposes a change, sets its time and lets it come. Returns the number.
    private func due(_ team: ProposalTeam, _ patch: String, minutes: Int = 0, approved: Bool = true) throws -> Int64 {
        let number = try team.propose(patch)
        try team.change(number, Self.time, by: "ada").expecting(200)
        try team.makeDue(number, minutes: minutes)
        // The approval is for the time that the reviewer sees.
        if approved { try team.review(number, "approve", by: "cleo").expecting(201) }
        return number
    }

    @Test func `who may only propose sets no time and submits with none, also without approvals`() throws {
        let team = try ProposalTeam(required: nil)
        let number = try team.propose(#"{"banner":"Winter sale"}"#, by: "gil")
        #expect(try team.change(number, Self.time, by: "gil").outcome == "403 keys-out-of-scope")
        try team.step("recall", number, by: "gil").expecting(200)
        try team.change(number, Self.time, by: "ada").expecting(200)
        #expect(try team.step("submit", number, by: "gil").outcome == "403 keys-out-of-scope")
        let edit = #"{"edits":[{"key":"banner","path":"","after":"Owned"}]}"#
        #expect(try team.change(number, edit, by: "gil").outcome == "403 keys-out-of-scope")
        try team.step("submit", number, by: "ada").expecting(200)
        // An edit would be released in the name of who set the time.
        #expect(try team.change(number, edit, by: "gil").outcome == "403 keys-out-of-scope")
        try team.change(number, #"{"title":"Winter"}"#, by: "gil").expecting(200)
        try team.makeDue(number)
        try team.instance.service.applyDueProposals()
        #expect(try team.value("banner") == "Winter sale")
        let author = try team.instance.query(
            "test_author", "select author from config_releases order by revision desc limit 1")
        #expect(try author[0].text("author") == "token of ada")
    }

    @Test(arguments: [
        "update people set removed_at = now() where subject = 'ada'",
        "update api_tokens set revoked_at = now() where owner_subject = 'ada'",
        "update api_tokens set scopes = '{config:read,config:propose}' where owner_subject = 'ada'",
        "update api_tokens set scopes = '{config:write:theme}' where owner_subject = 'ada'",
    ])
    func `a release at its time needs an author who still may make it`(loss: String) throws {
        let team = try ProposalTeam(required: nil)
        let number = try due(team, #"{"banner":"Winter sale"}"#, approved: false)
        try team.instance.asSuperuser(loss)
        try team.instance.service.applyDueProposals()
        #expect(try team.value("banner") == "Summer sale")
        #expect(try team.member("failure", of: number).objectValue?["reason"] == "not-permitted")
        #expect(try team.member("state", of: number) == "open")
        #expect(try team.member("apply_at", of: number) == .null)
    }

    @Test func `a proposal without approvals, in conflict or late loses its time and keeps its reviews`() throws {
        let team = try ProposalTeam()
        let unapproved = try due(team, #"{"banner":"Winter sale"}"#, approved: false)
        let conflicted = try due(team, #"{"pay.limit":150}"#)
        try team.release(#"{"pay.limit":120}"#)
        let late = try due(team, #"{"theme":{"dark":true}}"#, minutes: 61)
        try team.instance.service.applyDueProposals()
        for (number, reason) in [(unapproved, "not-approved"), (conflicted, "conflicted"), (late, "missed")] {
            #expect(try team.member("failure", of: number).objectValue?["reason"]?.stringValue == reason)
            #expect(try team.member("state", of: number) == "open")
            #expect(try team.member("scheduled", of: number) == false)
        }
        #expect(try team.member("reviews", of: late).arrayValue?.count == 1)
        #expect(try team.value("theme")?.objectValue?["dark"] == false)
    }

    @Test func `a proposal that nobody changed for days is closed, unless it waits for its time`() throws {
        let team = try ProposalTeam()
        let idle = try team.propose(#"{"banner":"Winter sale"}"#)
        let waiting = try team.propose(#"{"pay.limit":150}"#)
        try team.change(waiting, Self.time, by: "ada").expecting(200)
        try age("13 days 23 hours", team)
        try team.instance.service.applyDueProposals()
        #expect(try team.member("state", of: idle) == "open")
        try age("14 days 1 minute", team)
        try team.instance.service.applyDueProposals()
        #expect(try team.member("closed_as", of: idle) == "expired")
        #expect(try team.member("state", of: waiting) == "open")
        let lines = try team.instance.query(
            "test_audit", "select subject from audit_log where action = 'proposal.expire'")
        #expect(try lines.map { try $0.text("subject") } == ["\(idle)"])
    }

    /// Moves the last change of all proposals to the past, as if the clock had gone on.
    private func age(_ interval: String, _ team: ProposalTeam) throws {
        try team.instance.asSuperuser("update proposals set changed_at = clock_timestamp() - interval '\(interval)'")
    }

    @Test func `an error with one proposal does not delay the others`() throws {
        let team = try ProposalTeam(required: nil)
        let broken = try due(team, #"{"banner":"Winter sale"}"#, minutes: 5, approved: false)
        _ = try due(team, #"{"pay.limit":150}"#, approved: false)
        try team.instance.asSuperuser(
            """
            create function test_fail() returns trigger language plpgsql as
                $$ begin raise exception 'disk full'; end $$;
            create trigger test_fail before update on proposals for each row
                when (old.number = \(broken)) execute function test_fail();
            """)
        let failure = #expect(throws: ProposalsNotApplied.self) { try team.instance.service.applyDueProposals() }
        #expect(failure?.number == broken)
        #expect(try team.value("pay.limit") == 150)
        #expect(try team.value("banner") == "Summer sale")
        try team.instance.asSuperuser("drop trigger test_fail on proposals")
        try team.instance.service.applyDueProposals()
        #expect(try team.value("banner") == "Winter sale")
    }

    @Test func `several workers make the release once`() throws {
        let team = try ProposalTeam()
        let number = try due(team, #"{"banner":"Winter sale"}"#)
        let other = try ConfigInstance(
            "other", on: team.instance.database, approvals: team.instance.service.settings.approvals)
        _ = try concurrently(6) { index in
            try (index % 2 == 0 ? team.instance : other).service.applyDueProposals()
        }
        try expectOneRelease(of: number, team)
    }

    private func expectOneRelease(of number: Int64, _ team: ProposalTeam) throws {
        #expect(try team.member("state", of: number) == "applied")
        #expect(try team.value("banner") == "Winter sale")
        let releases = try team.instance.query(
            "test_releases", "select proposal from config_releases where proposal is not null")
        #expect(releases.count == 1)
        #expect(try team.member("applied_revision", of: number) == 3)
    }
}
