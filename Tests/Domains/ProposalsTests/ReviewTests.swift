import AlmanacForms
import AlmanacJSON
import Testing

@testable import AlmanacProposals

@Suite struct ReviewTests {
    private static func person(_ name: String, issuer: String = "https://login.example.com") -> ReviewPerson {
        ReviewPerson(issuer: issuer, subject: name)
    }

    private static let flag = EntryState(
        value: ["state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "on"], kind: .flag)
    private static let off = EntryState(
        value: ["state": "DISABLED", "variants": ["on": true, "off": false], "defaultVariant": "on"], kind: .flag)

    private let edits = ["pay.limit", "banner"].map {
        ProposalEdit(
            key: $0, path: .whole, before: 1, after: 2, author: ProposalAuthor(person: person("ada"), name: "Ada"),
            round: 3)
    }

    private func review(
        _ id: Int64, _ verdict: ProposalReview.Verdict, by name: String, keys: String? = nil, round: Int = 3,
        effect: String = "e", part: VersionPart = .patch, isWithdrawn: Bool = false
    ) -> ProposalReview {
        ProposalReview(
            id: id, verdict: verdict, reviewer: Self.person(name),
            keys: keys.flatMap(KeyPattern.init).map { .some([$0]) } ?? .all, round: round,
            effect: effect, part: part, isWithdrawn: isWithdrawn)
    }

    private func standing(
        _ reviews: [ProposalReview], part: VersionPart = .patch, required: Int = 1,
        rules: [(String, Int)] = [("pay.*", 2)]
    ) -> ReviewStanding {
        var policy = ApprovalPolicy(required: required)
        policy.rules = rules.compactMap { keys, required in
            KeyPattern(keys).map { ApprovalPolicy.Rule(keys: $0, required: required) }
        }
        return ReviewStanding(
            reviews, edits: edits, keys: ["pay.limit", "banner"], present: (round: 3, effect: "e", part: part),
            policy: policy)
    }

    @Test func `each key needs the approvals of its highest rule`() {
        #expect(
            standing([]).unmet == [
                ReviewStanding.Unmet(keys: ["banner"], required: 1, has: 0),
                ReviewStanding.Unmet(keys: ["pay.limit"], required: 2, has: 0),
            ])
        #expect(
            standing([review(1, .approve, by: "ben")]).unmet == [
                ReviewStanding.Unmet(keys: ["pay.limit"], required: 2, has: 1)
            ])
        #expect(standing([review(1, .approve, by: "ben"), review(2, .approve, by: "cleo")]).isApproved)
        // Two sign-ins of one person count once.
        #expect(!standing([review(1, .approve, by: "ben"), review(2, .approve, by: "ben")]).isApproved)
        // An approver of a prefix counts for its keys.
        let forPay = review(2, .approve, by: "cleo", keys: "pay.*")
        #expect(standing([review(1, .approve, by: "ben"), forPay]).isApproved)
        #expect(standing([forPay]).unmet.map(\.keys) == [["banner"], ["pay.limit"]])
    }

    @Test func `an approval counts for one effect, one round and no higher part of the version`() {
        let second = review(2, .approve, by: "cleo")
        for other in [
            review(1, .approve, by: "ada"), review(1, .approve, by: "ben", round: 2),
            review(1, .approve, by: "ben", effect: "f"), review(1, .approve, by: "ben", isWithdrawn: true),
            review(1, .comment, by: "ben"), review(1, .approve, by: "ben", keys: "other"),
        ] {
            let standing = standing([other, second])
            #expect(!standing.isApproved)
            #expect(standing.counting == [2])
        }
        let minor = [review(1, .approve, by: "ben", part: .minor), review(2, .approve, by: "cleo", part: .minor)]
        #expect(standing(minor, part: .patch).isApproved)
        #expect(standing(minor, part: .minor).isApproved)
        #expect(!standing(minor, part: .major).isApproved)
    }

    @Test func `people are the same only with one issuer and one subject`() {
        let other = ProposalReview(
            id: 1, verdict: .approve, reviewer: Self.person("ada", issuer: "passkey:console.example.com"),
            keys: .all, round: 3, effect: "e", part: .patch)
        #expect(standing([other], rules: []).isApproved)
        #expect(Self.person("é") != Self.person("e\u{301}"))
    }

    @Test func `a rejection blocks in its round whatever the effect is`() {
        let approvals = [review(1, .approve, by: "ben"), review(2, .approve, by: "cleo")]
        #expect(standing(approvals + [review(3, .reject, by: "dan", effect: "old")]).isRejected)
        #expect(!standing(approvals + [review(3, .reject, by: "dan", effect: "old")]).isApproved)
        #expect(standing(approvals + [review(3, .reject, by: "dan", round: 2)]).isApproved)
        #expect(standing(approvals + [review(3, .reject, by: "dan", isWithdrawn: true)]).isApproved)
        #expect(standing(approvals + [review(3, .reject, by: "ada")]).isApproved)
        #expect(standing(approvals + [review(3, .reject, by: "dan", keys: "other")]).isApproved)
    }

    @Test func `the effect is the same for the same edits, whoever made them and in whatever order`() {
        func effect(_ edits: [ProposalEdit], time: Int64? = nil, rule: String = "1") -> String {
            ProposalEffect.digest(
                of: edits, dependencies: [.init(name: "rule a", digest: rule)], splitVersion: 3, applyAt: time)
        }
        func edit(_ before: JSONValue?, _ after: JSONValue?, by name: String = "ada", round: Int = 1) -> ProposalEdit {
            let author = ProposalAuthor(person: Self.person(name), name: name)
            return ProposalEdit(key: "k", path: .whole, before: before, after: after, author: author, round: round)
        }
        let (first, second) = (edit(["a": 1, "b": 2], 3), edit(["b": 2, "a": 1], 3, by: "ben", round: 2))
        #expect(effect([first]) == effect([second]))
        #expect(effect(edits) == effect(edits.reversed()))
        let others = [
            effect([edit(nil, 3)]), effect([edit(.null, 3)]), effect([edit(3, nil)]), effect([first], time: 1),
            effect([first], rule: "2"), effect([first]), effect([edit("3", 3)]),
        ]
        #expect(Set(others).count == others.count)
    }

    @Test(
        arguments: [
            ["$ref": "é"], ["$ref": ["é"]], ["almanac.flag": "b"], ["almanac.flag": ["b"]],
            ["if": [["$ref": ["absent", ["$ref": "é"]]], "on", "off"]],
        ] as [JSONValue]) func `the effect has every shared rule that is read, also through flags`(targeting: JSONValue)
    {
        func effect(_ rule: JSONValue, other: JSONValue = 1, twin: JSONValue = 1) -> String {
            let changed = EntryState(
                value: ["state": "ENABLED", "targeting": ["or": [["$ref": "e\u{301}"], targeting]]], kind: .flag)
            let flags: [String: JSONValue] = [
                "b": ["targeting": ["almanac.flag": ["c"]]], "c": ["targeting": ["$ref": ["é"]]],
                "other": ["targeting": other],
            ]
            let dependencies = ProposalEffect.dependencies(
                of: [changed], flags: flags,
                rules: JSONObject([("é", rule), ("e\u{301}", twin), ("unread", other)]))
            return ProposalEffect.digest(of: edits, dependencies: dependencies, splitVersion: 3, applyAt: nil)
        }
        #expect(effect(1) != effect(2))
        #expect(effect(1, twin: 1) != effect(1, twin: 2))
        // Releases of other keys change nothing that was approved.
        #expect(effect(1, other: 1) == effect(1, other: 2))
    }

    @Test func `rules that read each other end the search of dependencies`() {
        let flag = EntryState(value: ["targeting": ["$ref": "a"]], kind: .flag)
        let found = ProposalEffect.dependencies(
            of: [flag], flags: [:], rules: JSONObject([("a", ["$ref": "b"]), ("b", ["$ref": "a"])]))
        #expect(found.map(\.name) == ["rule a", "rule b"])
    }

    @Test func `a release that only switches flags off needs no approval`() {
        func effect(_ changes: [(key: String, before: EntryState?, after: EntryState?)]) -> ReleaseEffect {
            ReleaseEffect(changes: changes, undone: nil)
        }
        func state(_ value: JSONValue?) -> EntryState { Self.flag.setting([(.member("state"), value)]) }
        let policy = ApprovalPolicy(required: 1)
        #expect(effect([("f", Self.flag, Self.off), ("g", Self.flag, Self.off)]).exemption(in: policy) == .disable)
        var renamed = Self.off
        renamed.description = "off"
        var retargeted = Self.off
        retargeted.value = ["state": "DISABLED", "variants": ["on": true, "off": false], "defaultVariant": "off"]
        let (unknown, stateless) = (state("PAUSED"), state(nil))
        let plain = EntryState(value: ["state": "DISABLED"])
        for changes in [
            [("f", Self.off, Self.flag)], [("f", Self.flag, nil)], [("f", nil, Self.off)], [("f", Self.flag, renamed)],
            [("f", Self.flag, retargeted)], [("f", Self.flag, unknown)], [("f", Self.flag, stateless)],
            [("f", EntryState(value: ["state": "ENABLED"]), plain)],
            [("f", Self.flag, Self.off), ("b", EntryState(value: 1), EntryState(value: 2))], [],
        ] as [[(key: String, before: EntryState?, after: EntryState?)]] {
            #expect(effect(changes).exemption(in: policy) == nil)
        }
        var strict = policy
        strict.exemptions = []
        #expect(effect([("f", Self.flag, Self.off)]).exemption(in: strict) == nil)
    }

    @Test func `the newest release may be undone for half an hour, unless a flag goes on`() {
        let policy = ApprovalPolicy(required: 1)
        let (old, new) = (EntryState(value: 1), EntryState(value: 2))
        func undo(
            of made: (EntryState?, EntryState?), by change: (EntryState?, EntryState?), age: Int64 = 1800,
            isUndo: Bool = false
        ) -> ApprovalPolicy.Exemption? {
            ReleaseEffect(
                changes: [("k", change.0, change.1)],
                undone: ReleaseEffect.Undone(changes: [("k", made.0, made.1)], age: age, isUndo: isUndo)
            ).exemption(in: policy)
        }
        #expect(undo(of: (old, new), by: (new, old)) == .undo)
        #expect(undo(of: (nil, new), by: (new, nil)) == .undo)
        #expect(undo(of: (old, new), by: (new, old), age: 1801) == nil)
        #expect(undo(of: (old, new), by: (new, old), age: -1) == nil)
        #expect(undo(of: (old, new), by: (new, old), isUndo: true) == nil)
        #expect(undo(of: (old, new), by: (new, EntryState(value: 3))) == nil)
        #expect(undo(of: (Self.flag, Self.off), by: (Self.off, Self.flag)) == nil)
        #expect(undo(of: (Self.flag, nil), by: (nil, Self.flag)) == nil)
        #expect(undo(of: (nil, Self.flag), by: (Self.flag, nil)) == .undo)
        #expect(
            ReleaseEffect(changes: [("k", new, old), ("l", old, new)], undone: nil).exemption(in: policy) == nil)
    }

    @Test func `a proposal takes only the steps of its state`() {
        #expect(ProposalState.draft.after(.submit) == .open)
        #expect(ProposalState.draft.after(.apply) == nil)
        #expect(ProposalState.draft.after(.review) == nil)
        #expect(ProposalState.open.after(.recall) == .draft)
        #expect(ProposalState.open.after(.apply) == .applied)
        #expect(ProposalState.open.after(.close(.expired)) == .closed(.expired))
        for step in [.submit, .recall, .edit, .review, .apply, .close(.withdrawn)] as [ProposalState.Step] {
            #expect(ProposalState.applied.after(step) == nil)
            #expect(ProposalState.closed(.withdrawn).after(step) == nil)
        }
    }
}
