import AlmanacEnvironments
import AlmanacForms
import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacProposals
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct ProposalTests {
    @Test func `a change is proposed, reviewed by somebody else and applied as one release`() throws {
        let team = try ProposalTeam()
        let patch = #"{"banner":"Winter sale","checkout":{"defaultVariant":"on"}}"#
        let draft = try team.call("ada", "PATCH", "/config?propose=true", patch, message: "Begin winter").expecting(201)
        #expect(draft["Location"] == "/staging/proposals/1")
        #expect(draft[member: "title"] == "Begin winter" && draft[member: "state"] == "draft")
        let paths = draft[member: "edits"]?.arrayValue?.compactMap { $0.objectValue?["path"]?.stringValue }
        #expect(paths == ["", "defaultVariant"])
        #expect(draft[member: "forecast"]?.objectValue?["bump"] == "patch")
        #expect(try team.value("banner") == "Summer sale")
        #expect(try team.apply(1).outcome == "409 proposal-state")
        try team.step("submit", 1, by: "ada").expecting(200)
        #expect(try team.apply(1).outcome == "403 approval-required")
        try team.review(1, "approve", by: "cleo").expecting(201)
        #expect(try team.member("approved", of: 1) == true)
        let released = try team.apply(1).expecting(200)
        #expect(released.revision == 3)
        #expect(try team.value("banner") == "Winter sale")
        #expect(try team.value("checkout")?.objectValue?["defaultVariant"] == "on")
        #expect(try team.member("state", of: 1) == "applied")
        #expect(try team.member("applied_revision", of: 1) == 3)
        #expect(try team.apply(1).outcome == "409 proposal-state")
        let release = try team.call("eve", "GET", "/releases/3")
        #expect(release[member: "message"] == "Begin winter")
        let actions = try team.instance.query(
            "test_audit", "select action from audit_log where action like 'proposal.%' order by id"
        ).map { try $0.text("action") }
        #expect(actions == ["proposal.create", "proposal.submit", "proposal.review", "proposal.apply"])
    }

    @Test func `contributors and readers neither approve nor reject`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#, by: "cleo")
        #expect(try team.review(number, "approve", by: "cleo").outcome == "403 own-contribution")
        #expect(try team.review(number, "reject", by: "cleo").outcome == "403 own-contribution")
        #expect(try team.review(number, "approve", by: "ben").outcome == "403 scope-too-small")
        #expect(try team.review(number, "approve", by: "eve").outcome == "403 scope-too-small")
        #expect(try team.review(number, "comment", by: "eve").status == 201)
        // A service account is no person.
        let effect = try #require(try team.member("effect", of: number).stringValue)
        let connection = try team.instance.authorization("dan", [.configApprove])
        let answer = try team.instance.call(
            "POST", "/proposals/\(number)/reviews", bytes: Array(#"{"verdict":"approve"}"#.utf8), as: nil,
            [("Authorization", connection), ("If-Match", "\"\(effect)\"")])
        #expect(answer.status == 403, "config:approve alone cannot read the config")
        #expect(try team.apply(number).outcome == "403 approval-required")
    }

    @Test func `who takes over an edit is a contributor, and the first author is one no more`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#, by: "dan")
        try team.change(number, #"{"edits":[{"key":"banner","path":"","after":"Frost sale"}]}"#, by: "cleo")
            .expecting(200)
        #expect(try team.review(number, "approve", by: "cleo").outcome == "403 own-contribution")
        try team.review(number, "approve", by: "dan").expecting(201)
        #expect(try team.apply(number).status == 200)
        #expect(try team.value("banner") == "Frost sale")
    }

    @Test func `a changed edit, a moved time and a recalled proposal need new approvals; a new title does not`() throws
    {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        try team.change(number, #"{"title":"Winter","message":"See the plan"}"#, by: "ada").expecting(200)
        #expect(try team.member("approved", of: number) == true)
        try team.change(number, #"{"apply_at":"2099-12-24T09:00:00+01:00","zone":"Europe/Berlin"}"#, by: "ada")
            .expecting(200)
        #expect(try team.member("approved", of: number) == false)
        #expect(try team.member("apply_at", of: number) == "2099-12-24T08:00:00.000Z")
        try team.review(number, "approve", by: "cleo").expecting(201)
        #expect(try team.member("approved", of: number) == true)
        try team.change(number, #"{"edits":[{"key":"banner","path":"","after":"Sale"}]}"#, by: "ada").expecting(200)
        #expect(try team.member("approved", of: number) == false)
        #expect(try team.apply(number).outcome == "403 approval-required")
    }

    @Test func `a conflict names each key with all three values, and a rebase settles it`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale","pay.limit":150}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        try team.release(#"{"banner":"Autumn sale"}"#)
        let refused = try team.apply(number)
        #expect(refused.outcome == "409 proposal-conflict")
        let conflicts = try #require(refused[member: "conflicts"]?.arrayValue)
        #expect(
            conflicts.map(\.description) == [
                #"{"key":"banner","path":"","before":"Summer sale","after":"Winter sale","now":"Autumn sale"}"#
            ])
        #expect(try team.value("pay.limit") == 100, "nothing is half done")
        #expect(try team.member("conflicted", of: number) == true)
        let path = "/proposals/\(number)/rebase"
        #expect(try team.call("ben", "POST", path, #"{"keep":{}}"#).outcome == "409 proposal-conflict")
        let keep = #"{"keep":{"banner/":"mine"}}"#
        let trial = try team.call("ben", "POST", path + "?dry_run=true", keep).expecting(200)
        #expect(trial[member: "conflicted"] == false)
        #expect(try team.member("conflicted", of: number) == true)
        try team.call("ben", "POST", path, keep).expecting(200)
        #expect(try team.member("approved", of: number) == false)
        let authors = try team.member("edits", of: number).arrayValue?.map {
            $0.objectValue?["author"]?.objectValue?["name"]?.stringValue
        }
        #expect(authors?.count == 2 && authors?.first?.map { $0.contains("ben") } == true)
        try team.review(number, "approve", by: "cleo").expecting(201)
        #expect(try team.apply(number).status == 200)
        #expect(try team.value("banner") == "Winter sale")
    }

    @Test func `who wrote a value stays a contributor when somebody else keeps it in a rebase`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#, by: "dan")
        try team.release(#"{"banner":"Autumn sale"}"#)
        try team.call("ben", "POST", "/proposals/\(number)/rebase", #"{"keep":{"banner/":"mine"}}"#).expecting(200)
        #expect(try team.review(number, "approve", by: "dan").outcome == "403 own-contribution")
        #expect(try team.apply(number).outcome == "403 approval-required")
        try team.review(number, "approve", by: "cleo").expecting(201)
        #expect(try team.apply(number).status == 200)
    }

    @Test func `a comment delays no change of the proposal, and there are at most 200`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        let before = try team.proposal(number)
        try team.review(number, "comment", by: "eve").expecting(201)
        let after = try team.proposal(number)
        #expect(after["version"] == before["version"] && after["changed_at"] == before["changed_at"])
        try team.instance.asSuperuser(
            """
            insert into proposal_reviews (number, verdict, message, round, effect, reviewer, issuer, subject, keys)
            select \(number), 'comment', 'x', 1, '', 'x', 'x', 'x', '{}' from generate_series(2, 200)
            """)
        #expect(try team.review(number, "comment", by: "eve").outcome == "413 proposal-too-large")
        try team.review(number, "approve", by: "cleo").expecting(201)
    }

    @Test func `a proposal that is rebased at once on two workers gets one new round`() throws {
        let team = try ProposalTeam()
        let workers = [team, try team.onAnotherWorker()]
        let number = try team.propose(#"{"banner":"Winter sale","pay.limit":150}"#)
        try team.release(#"{"banner":"Autumn sale"}"#)
        let keep = #"{"keep":{"banner/":"mine"}}"#
        let outcomes = try concurrently(6) { index in
            try workers[index % 2].call(["ben", "dan"][index % 2], "POST", "/proposals/\(number)/rebase", keep).outcome
        }
        #expect(outcomes == Array(repeating: "200", count: 6))
        let proposal = try team.proposal(number)
        #expect(proposal["round"] == 2 && proposal["conflicted"] == false)
        let edits = proposal["edits"]?.arrayValue?.compactMap(\.objectValue) ?? []
        #expect(edits.map { $0["before"] } == ["Autumn sale", 100])
    }

    @Test func `keys that vanish are conflicts, and a rebase brings back values but no parts`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale","checkout":{"defaultVariant":"on"}}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        try team.release(#"{"banner":null,"checkout":null}"#)
        let refused = try team.apply(number)
        #expect(refused.outcome == "409 proposal-conflict")
        #expect(refused[member: "conflicts"]?.arrayValue?.map { $0.objectValue?["now"] } == [.null, .null])
        let keep = #"{"keep":{"banner/":"mine","checkout/defaultVariant":"mine"}}"#
        try team.call("ben", "POST", "/proposals/\(number)/rebase", keep).expecting(200)
        try team.review(number, "approve", by: "cleo").expecting(201)
        try team.apply(number).expecting(200)
        #expect(try team.value("banner") == "Winter sale" && team.value("checkout") == nil)
    }

    @Test func `a new history voids approvals, and the effect that a caller saw`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        let effect = try team.member("effect", of: number).stringValue
        _ = try Connection(team.instance.service.settings.owner).renewLineage()
        #expect(try team.member("approved", of: number) == false)
        let refused = try team.call("ada", "POST", "/proposals/\(number)/apply", match: effect)
        #expect(refused.outcome == "412 precondition-failed")
        #expect(try team.apply(number).outcome == "403 approval-required")
        try team.review(number, "approve", by: "cleo").expecting(201)
        #expect(try team.apply(number).status == 200)
    }

    @Test func `a time is an instant on the days of a time change too`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        for (time, instant) in [
            // Both 02:30 of the night in which the clocks go back.
            ("2099-10-25T02:30:00+02:00", "2099-10-25T00:30:00.000Z"),
            ("2099-10-25T02:30:00+01:00", "2099-10-25T01:30:00.000Z"),
            // 23:30 before and after a change, and a time that the clocks skip.
            ("2099-10-24T23:30:00+02:00", "2099-10-24T21:30:00.000Z"),
            ("2099-10-25T23:30:00+01:00", "2099-10-25T22:30:00.000Z"),
            ("2099-03-29T23:30:00+02:00", "2099-03-29T21:30:00.000Z"),
            ("2099-03-29T02:30:00+01:00", "2099-03-29T01:30:00.000Z"),
        ] {
            let answer = try team.change(number, #"{"apply_at":"\#(time)","zone":"Europe/Berlin"}"#, by: "ada")
            #expect(answer[member: "apply_at"]?.stringValue == instant && answer[member: "zone"] == "Europe/Berlin")
        }
    }

    @Test func `a part of an entry that is not there is a conflict`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        try team.change(number, #"{"edits":[{"key":"absent","path":"description","after":"x"}]}"#, by: "ada")
            .expecting(200)
        #expect(try team.member("conflicted", of: number) == true)
    }

    @Test func `a proposal that did not touch the state never switches a flag on again`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"checkout":{"defaultVariant":"on"}}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        try team.call("ben", "POST", "/flags/checkout/disable").expecting(200)
        #expect(try team.apply(number).status == 200)
        let flag = try #require(try team.value("checkout")?.objectValue)
        #expect(flag["state"] == "DISABLED" && flag["defaultVariant"] == "on")
    }

    @Test func `a rejection blocks until it is withdrawn`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        let rejected = try team.review(number, "reject", by: "dan").expecting(201)
        #expect(rejected[member: "changes_requested"] == true)
        #expect(try team.apply(number).outcome == "409 proposal-rejected")
        let reviews = try #require(try team.member("reviews", of: number).arrayValue)
        let id = try #require(reviews.last?.objectValue?["id"]).description
        #expect(
            try team.call("cleo", "DELETE", "/proposals/\(number)/reviews/\(id)").outcome == "404 review-not-found")
        try team.call("dan", "DELETE", "/proposals/\(number)/reviews/\(id)").expecting(200)
        #expect(try team.apply(number).status == 200)
    }

    @Test func `a rejection ends with its round`() throws {
        let team = try ProposalTeam()
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        try team.review(number, "reject", by: "dan").expecting(201)
        // Another title begins no round.
        try team.change(number, #"{"title":"Winter"}"#, by: "ada").expecting(200)
        #expect(try team.member("changes_requested", of: number) == true)
        try team.change(number, #"{"edits":[{"key":"banner","path":"","after":"Sale"}]}"#, by: "ada").expecting(200)
        #expect(try team.member("changes_requested", of: number) == false)
        try team.review(number, "approve", by: "cleo").expecting(201)
        #expect(try team.apply(number).status == 200)
    }

    @Test func `a release that people apply at once on two workers is made once`() throws {
        let team = try ProposalTeam()
        let workers = [team, try team.onAnotherWorker()]
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        try team.review(number, "approve", by: "cleo").expecting(201)
        let effect = try #require(try team.member("effect", of: number).stringValue)
        let outcomes = try concurrently(8) { index in
            try workers[index % 2].call(
                ["ada", "ben", "cleo", "dan"][index % 4], "POST", "/proposals/\(number)/apply", match: effect
            ).outcome
        }
        #expect(outcomes.count { $0 == "200" } == 1)
        #expect(Set(outcomes) == ["200", "409 proposal-state"])
        #expect(try team.call("eve", "GET", "/config").revision == 3)
    }

    @Test func `a chained proposal builds on the one before, and conflicts when that closes`() throws {
        let team = try ProposalTeam()
        let first = try team.propose(#"{"pay.limit":200}"#)
        try team.call(
            "ada", "PATCH", "/config?propose=true&after_proposal=\(first)", #"{"pay.limit":300}"#
        ).expecting(201)
        let second = first + 1
        // The write was planned on the present config, so its edit begins at 100 and conflicts with the result of 200.
        #expect(try team.member("conflicted", of: second) == true)
        try team.change(second, #"{"edits":[{"key":"pay.limit","path":"","after":300}]}"#, by: "ada").expecting(200)
        try team.step("submit", second, by: "ada").expecting(200)
        #expect(try team.apply(second).status == 409)
        try team.step("withdraw", first, by: "ada").expecting(200)
        #expect(try team.member("state", of: first) == "closed")
    }

    @Test func `a faulty call is refused with what was expected`() throws {
        let team = try ProposalTeam()
        #expect(try team.propose(#"{"banner":"Winter sale"}"#) == 1)
        let calls: [(method: String, path: String, body: String, match: String?, outcome: String)] = [
            ("POST", "/proposals/99/submit", "{}", "1", "404 proposal-not-found"),
            ("GET", "/proposals/0", "", nil, "400 invalid-request"),
            ("GET", "/proposals?state=approved", "", nil, "400 invalid-parameter"),
            ("PATCH", "/config?propose=true&dry_run=true", #"{"banner":"x"}"#, nil, "400 invalid-parameter"),
            ("PATCH", "/config?propose=true", #"{"banner":"Summer sale"}"#, nil, "409 proposal-empty"),
            ("PATCH", "/config?propose=true&after_proposal=99", #"{"banner":"x"}"#, nil, "404 proposal-not-found"),
            ("PATCH", "/proposals/1", #"{"title":"x"}"#, nil, "428 precondition-required"),
            ("PATCH", "/proposals/1", #"{"title":"x"}"#, "9", "412 precondition-failed"),
            ("PATCH", "/proposals/1", #"{"title":""}"#, "2", "422 invalid-value"),
            ("PATCH", "/proposals/1", #"{"apply_at":"2020-01-01T00:00:00Z"}"#, "2", "422 invalid-value"),
            ("PATCH", "/proposals/1", #"{"apply_at":"tomorrow"}"#, "2", "422 invalid-value"),
            ("PATCH", "/proposals/1", #"{"apply_at":"2099-10-25T02:30:00"}"#, "2", "422 invalid-value"),
            ("PATCH", "/proposals/1", #"{"apply_at":"2099-02-30T12:00:00Z"}"#, "2", "422 invalid-value"),
            ("PATCH", "/proposals/1", #"{"title":"a\nb"}"#, "2", "422 invalid-value"),
            ("PATCH", "/proposals/1", #"{"zone":"Mars/Base"}"#, "2", "422 invalid-value"),
            ("PATCH", "/proposals/1", #"{"zone":"right/Europe/Berlin"}"#, "2", "422 invalid-value"),
            ("PATCH", "/proposals/1", #"{"edits":[]}"#, "2", "422 invalid-value"),
            ("PATCH", "/config?after_proposal=1", #"{"banner":"x"}"#, nil, "400 invalid-parameter"),
            (
                "PATCH", "/proposals/1", #"{"edits":[{"key":"banner","path":"description","after":5}]}"#, "2",
                "422 invalid-value"
            ),
            (
                "PATCH", "/proposals/1", #"{"edits":[{"key":"banner","path":"kind","after":"big"}]}"#, "2",
                "422 invalid-value"
            ),
            ("PATCH", "/proposals/1", #"{"edits":[{"key":"a b","path":"","after":1}]}"#, "2", "422 invalid-value"),
            (
                "PATCH", "/proposals/1", #"{"edits":[{"key":"a","path":"variants","after":1}]}"#, "2",
                "422 invalid-value"
            ),
            ("PATCH", "/proposals/1", #"{"after_proposal":1}"#, "2", "422 invalid-value"),
            ("PATCH", "/proposals/1", #"{"after_proposal":9}"#, "2", "404 proposal-not-found"),
            ("POST", "/proposals/1/apply", "", nil, "428 precondition-required"),
            ("POST", "/proposals/1/apply", "", "0123", "412 precondition-failed"),
            ("POST", "/proposals/1/apply?bypass=true", "", "0123", "403 scope-too-small"),
            ("POST", "/proposals/1/reviews", #"{"verdict":"approve"}"#, nil, "428 precondition-required"),
            ("POST", "/proposals/1/reviews", #"{"verdict":"fine"}"#, "x", "422 invalid-value"),
            ("POST", "/proposals/1/reviews", #"{"verdict":"comment"}"#, "x", "422 invalid-value"),
            ("POST", "/proposals/1/rebase", #"{"keep":{"banner/":"both"}}"#, nil, "422 invalid-value"),
        ]
        for call in calls {
            let answer = try team.call("ada", call.method, call.path, call.body, match: call.match)
            #expect(answer.outcome == call.outcome, "\(call.method) \(call.path) \(call.body)")
            #expect(try team.member("version", of: 1) == 2, "\(call.method) \(call.path) \(call.body)")
        }
    }

    @Test func `500 keys are accepted; more keys and values of more than 1 MiB are refused`() throws {
        let team = try ProposalTeam()
        let most = (1...Proposal.maxKeys).map { #""k\#($0)":1"# }.joined(separator: ",")
        #expect(try team.call("ada", "PATCH", "/config?propose=true", "{\(most)}").status == 201)
        let keys = (0...Proposal.maxKeys).map { #""k\#($0)":1"# }.joined(separator: ",")
        #expect(try team.call("ada", "PATCH", "/config?propose=true", "{\(keys)}").outcome == "413 proposal-too-large")
        let large = (0..<12).map { #""k\#($0)":"\#(String(repeating: "x", count: 90_000))""# }.joined(separator: ",")
        #expect(try team.call("ada", "PATCH", "/config?propose=true", "{\(large)}").outcome == "413 proposal-too-large")
    }

    @Test func `a purge removes the values of the key from proposals`() throws {
        let team = try ProposalTeam(required: nil)
        let only = try team.propose(#"{"banner":"s3cr3t-needle"}"#)
        let both = try team.propose(#"{"banner":"s3cr3t-needle","pay.limit":150}"#)
        try team.instance.call("DELETE", "/config/banner?purge=true").expecting(200)
        #expect(try team.member("closed_as", of: only) == "purged")
        #expect(try team.member("state", of: both) == "open")
        #expect(try team.member("round", of: both) == 2)
        for number in [only, both] {
            #expect(!(try team.proposal(number)["edits"]?.description ?? "").contains("s3cr3t"))
        }
    }

    @Test func `a secret in a message, a title or a reason is refused and stored nowhere`() throws {
        let team = try ProposalTeam()
        let token = "almanac_production_" + String(repeating: "a1-_", count: 10) + "xyz"
        for secret in [token, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
            let text = "Try it with \(secret)."
            let patch = #"{"banner":"Winter sale"}"#
            #expect(
                try team.call("ada", "PATCH", "/config?propose=true", patch, message: text).outcome
                    == "400 invalid-header")
            let number = try team.propose(patch)
            for member in ["title", "message"] {
                let change = #"{"\#(member)":"\#(text)"}"#
                #expect(try team.change(number, change, by: "ada").outcome == "422 invalid-value")
            }
            let effect = try team.member("effect", of: number).stringValue
            let review = #"{"verdict":"approve","message":"\#(text)"}"#
            #expect(
                try team.call("cleo", "POST", "/proposals/\(number)/reviews", review, match: effect).outcome
                    == "422 invalid-value")
            let reason = #"{"reason":"\#(text)"}"#
            #expect(
                try team.bypass("POST", "/proposals/\(number)/apply", reason, match: effect).outcome
                    == "422 invalid-value")
            #expect(try !team.call("eve", "GET", "/proposals/\(number)").body.contains(secret))
        }
        let almost = "The prefix is almanac_production_ and the rest is secret"
        let spring = #"{"banner":"Spring sale"}"#
        #expect(try team.call("ada", "PATCH", "/config?propose=true", spring, message: almost).status == 201)
    }
}
