import AlmanacEnvironments
import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacProposals
import AlmanacTestSupport
import Synchronization
import Testing

@testable import AlmanacConfigDomain

/// Tests whose approvals count.
@Suite(.database(.migrated)) struct ReviewerTests {
    /// Makes a token without an owner as a person with `admin`. Returns the header of its bearer.
    private func serviceToken(of person: String, kind: Author.Kind, tokenID: String?, _ team: ProposalTeam) throws
        -> (header: String, id: String)
    {
        let made = try TokenAdministration(
            try Connection(team.instance.service.settings.owner), by: Author(person, kind, tokenID: tokenID)
        ).create(environment: "staging", label: "robot", scopes: [.configWrite], expiresAt: nil)
        try team.instance.tokens.refresh()
        return ("Bearer \(made.token.text)", made.record.id)
    }

    private func propose(_ header: String, _ team: ProposalTeam) throws -> Int64 {
        let draft = try team.instance.call(
            "PATCH", "/config?propose=true", bytes: Array(#"{"banner":"Winter sale"}"#.utf8), as: nil,
            [("Authorization", header)]
        ).expecting(201)
        let number = try #require(draft[member: "number"]?.numberValue?.int64)
        try team.step("submit", number, by: "ada").expecting(200)
        return number
    }

    @Test func `who made the token that wrote an edit does not approve it`() throws {
        let team = try ProposalTeam()
        let tokens = try team.instance.query("test_tokens", "select id from api_tokens where owner_subject = 'cleo'")
        // Made in a signed-in browser, and made with a token that Cleo owns.
        for (kind, id) in [(Author.Kind.user, nil), (.token, try tokens[0].text("id"))] {
            let robot = try serviceToken(of: kind == .user ? "cleo" : "token of cleo", kind: kind, tokenID: id, team)
            let number = try propose(robot.header, team)
            #expect(try team.review(number, "approve", by: "cleo").outcome == "403 own-contribution")
            try team.review(number, "approve", by: "dan").expecting(201)
            #expect(try team.member("approved", of: number) == true)
        }
    }

    @Test func `an approval counts no more when its author turns out to have made the token`() throws {
        let team = try ProposalTeam()
        let robot = try serviceToken(of: "root", kind: .host, tokenID: nil, team)
        let number = try propose(robot.header, team)
        try team.review(number, "approve", by: "dan").expecting(201)
        #expect(try team.member("approved", of: number) == true)
        let dan = VerifiedUser(issuer: team.instance.service.settings.ownerIssuer, subject: "dan")
        _ = try TokenAdministration(
            try Connection(team.instance.service.settings.owner), by: Author("root", .host)
        ).change(id: robot.id, owner: .set(dan))
        #expect(try team.member("approved", of: number) == false)
        #expect(try team.apply(number).outcome == "403 approval-required")
    }

    @Test(arguments: [
        "update api_tokens set revoked_at = now() where owner_subject = 'cleo'",
        "update api_tokens set expires_at = now() where owner_subject = 'cleo'",
        "update api_tokens set scopes = '{config:write}' where owner_subject = 'cleo'",
        "update api_tokens set scopes = '{config:approve:pay.*}' where owner_subject = 'cleo'",
        "update api_tokens set owner_subject = null, owner_issuer = null where owner_subject = 'cleo'",
    ])
    func `an approval counts while its token is valid and covers the key`(loss: String) throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        #expect(try team.member("approved", of: number) == true)
        try team.instance.asSuperuser(loss)
        #expect(try team.member("approved", of: number) == false)
        #expect(try team.apply(number).outcome == "403 approval-required")
    }

    @Test(arguments: [
        ("{config:approve}", true), ("{config:approve:banner}", true), ("{config:approve:ban*}", true),
        ("{config:approve:pay.*}", false), ("{config:write}", false), ("{admin}", false),
    ])
    func `the approval of a signed-in person counts while their scopes cover the key`(
        scopes: String, counts: Bool
    ) throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        try team.instance.asSuperuser(
            """
            update proposal_reviews set token_id = null;
            update people set source = 'claim', scopes = '\(scopes)' where subject = 'cleo'
            """)
        #expect(try team.member("approved", of: number) == .boolean(counts))
    }

    @Test func `a proposal names who may approve it`() throws {
        let team = try ProposalTeam(rules: [("pay.*", 1)])
        try team.instance.asSuperuser(
            """
            update people set source = 'claim', name = 'Cleo', scopes = '{config:approve:pay.*}' where subject = 'cleo';
            update people set source = 'claim', name = 'Dan', scopes = '{config:approve}' where subject = 'dan';
            update people set source = 'claim', name = 'Fay', scopes = '{config:approve}', removed_at = now()
            where subject = 'fay'
            """)
        func names(_ number: Int64) throws -> [String] {
            try team.member("may_approve", of: number).arrayValue?.compactMap {
                $0.objectValue?["name"]?.stringValue
            } ?? []
        }
        let number = try team.propose(#"{"pay.limit":150}"#)
        #expect(try names(number) == ["Cleo", "Dan"])
        #expect(try names(try team.propose(#"{"banner":"Sale"}"#)) == ["Dan"])
        #expect(try names(try team.propose(#"{"banner":"Sale"}"#, by: "dan")) == [])
        try team.review(number, "approve", by: "cleo").expecting(201)
        #expect(try names(number) == [])
    }

    @Test func `a release that went around approvals waits for an approver who did not make it`() throws {
        let team = try ProposalTeam()
        func acknowledge(_ person: String, _ revision: Int64 = 2) throws -> String {
            try team.call(person, "POST", "/releases/\(revision)/acknowledge").outcome
        }
        #expect(try acknowledge("cleo") == "409 proposal-state")
        try team.instance.asSuperuser(
            "update config_releases set bypass_reason = 'Outage', author = 'dan' where revision = 2")
        try team.instance.service.applyDueProposals()
        #expect(team.instance.service.unreviewedReleases.load(ordering: .relaxed) == 1)
        func bypasses() throws -> [String] {
            let releases = try team.call("eve", "GET", "/releases").json.arrayValue ?? []
            let detail = try team.call("eve", "GET", "/releases/2").json
            return ([detail] + releases).map { release in
                let release = release.objectValue
                return "\(release?["bypass"]?.stringValue ?? "none") \(release?["unreviewed"] ?? .null)"
            }
        }
        #expect(try bypasses() == ["Outage true", "Outage true", "none null"])
        #expect(try acknowledge("ada") == "403 scope-too-small")
        #expect(try acknowledge("dan") == "403 own-contribution")
        #expect(try acknowledge("cleo", 99) == "409 proposal-state")
        #expect(try acknowledge("cleo") == "204")
        #expect(try bypasses() == ["Outage false", "Outage false", "none null"])
        #expect(try acknowledge("cleo") == "409 proposal-state")
        try team.instance.service.applyDueProposals()
        #expect(team.instance.service.unreviewedReleases.load(ordering: .relaxed) == 0)
    }

    @Test func `everybody who reads the config sees the policy`() throws {
        let team = try ProposalTeam(rules: [("pay.*", 2)], exempt: [.disable])
        #expect(
            try team.call("eve", "GET", "/approvals").json.description == """
                {"required":1,"rules":[{"keys":"pay.*","required":2}],"exempt":["disable"],"expires_days":14,\
                "late_minutes":60}
                """)
        let free = try ProposalTeam(required: nil)
        #expect(try free.call("eve", "GET", "/approvals")[member: "required"] == 0)
    }

    @Test func `values need the scope for reading`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#, by: "gil")
        let version = try team.member("version", of: number).description
        for (method, path) in [
            ("PATCH", "/config?propose=true"), ("PATCH", "/proposals/\(number)"),
            ("POST", "/proposals/\(number)/submit"),
            ("POST", "/proposals/\(number)/recall"), ("POST", "/proposals/\(number)/withdraw"),
            ("POST", "/proposals/\(number)/rebase"), ("GET", "/proposals"), ("GET", "/proposals/\(number)"),
        ] {
            let answer = try team.call("hal", method, path, #"{"title":"x"}"#, match: version)
            #expect(answer.outcome == "403 scope-too-small", "\(path)")
        }
    }

    @Test func `a list shows keys and states, and neither values nor forecasts`() throws {
        let team = try ProposalTeam()
        let first = try team.propose(#"{"banner":"Winter sale"}"#)
        let second = try team.propose(#"{"checkout":{"defaultVariant":"on"}}"#)
        try team.review(first, "approve", by: "cleo").expecting(201)
        try team.apply(first).expecting(200)
        try team.review(second, "approve", by: "cleo").expecting(201)
        let list = try #require(try team.call("eve", "GET", "/proposals").expecting(200).json.arrayValue)
        let rows = list.compactMap(\.objectValue)
        #expect(rows.map { $0["number"]?.numberValue?.int64 } == [second, first])
        #expect(rows.map { $0["approved"] } == [true, false])
        #expect(rows.map { $0["state"] } == ["open", "applied"])
        #expect(rows[0]["keys"] == ["checkout"])
        #expect(!list.description.contains("Winter sale"))
    }

    @Test func `proposals wait for each other in no circle`() throws {
        let team = try ProposalTeam()
        let numbers = try (1...3).map { try team.propose(#"{"banner":"Sale \#($0)"}"#) }
        try team.change(numbers[1], #"{"after_proposal":\#(numbers[0])}"#, by: "ada").expecting(200)
        try team.change(numbers[2], #"{"after_proposal":\#(numbers[1])}"#, by: "ada").expecting(200)
        let refused = try team.change(numbers[0], #"{"after_proposal":\#(numbers[2])}"#, by: "ada")
        #expect(refused.outcome == "422 invalid-value")
        #expect(try team.member("round", of: numbers[1]) == 2)
    }

    @Test func `a purge removes values of ended proposals, of failures and of stored deliveries`() throws {
        let team = try ProposalTeam(required: nil)
        try team.addHook()
        let applied = try team.propose(#"{"banner":"s3cr3t-needle"}"#)
        try team.apply(applied).expecting(200)
        let closed = try team.propose(#"{"banner":"s3cr3t-needle 2"}"#)
        try team.step("withdraw", closed, by: "ada").expecting(200)
        let failed = try team.propose(#"{"banner":"s3cr3t-needle 3","pay.limit":150}"#)
        try team.change(failed, #"{"apply_at":"2099-01-01T00:00:00Z"}"#, by: "ada").expecting(200)
        try team.release(#"{"banner":"s3cr3t-needle 4"}"#)
        try team.makeDue(failed)
        try team.instance.service.applyDueProposals()
        #expect("\(try team.member("failure", of: failed))".contains("s3cr3t"))
        try team.instance.call("DELETE", "/config/banner?purge=true").expecting(200)
        for table in ["proposals", "proposal_edits", "proposal_reviews", "deliveries", "audit_log", "config_changes"] {
            let rows = try team.instance.query("test_rows", "select t::text as line from \(table) t")
            #expect(try !rows.contains { try $0.text("line").contains("s3cr3t") }, "\(table)")
            #expect(!rows.isEmpty || table == "proposal_reviews", "\(table)")
        }
        #expect(try team.member("state", of: applied) == "applied")
        #expect(try team.member("state", of: failed) == "open")
    }
}
