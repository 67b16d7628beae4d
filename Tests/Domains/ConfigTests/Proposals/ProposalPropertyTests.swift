import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestRandomness
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Compares random interleavings of all that people, two workers and the clock do with a model of the rules.
@Suite(.database(.migrated), .blocking) struct ProposalPropertyTests {
    private typealias Place = ProposalModel.Place

    /// The seeds are 1 to this number.
    private static let runs = TestDepth.runs(quick: 2, standard: 8, long: 10_000)
    private static let lanes = 2
    private static let steps = 32
    private static let editors = ["ada", "ben", "cleo", "dan"]
    private static let approvers = ["cleo", "dan", "fay"]
    private static let times = ["2099-01-01T00:00:00.000Z", "2099-01-02T00:00:00.000Z"]

    /// Counts the releases that have no proposal, no reason for a bypass and no exemption, then those that a proposal
    /// made beyond its first.
    private static let unexplained = """
        select count(*) filter (where coalesce(bypass_reason, exemption, proposal::text) is null) as free,
            count(proposal) - count(distinct proposal) as repeated
        from config_releases
        """

    /// - Parameter lane: The seeds of a lane are those that have this remainder.
    @Test(arguments: 0..<lanes)
    func `a release is made if and only if the rules allow it`(lane: Int) throws {
        let team = try ProposalTeam(rules: [("pay.limit", 2)])
        try team.put("theme", #"{"value":1}"#)
        var interleaving = Interleaving(workers: [team, try team.onAnotherWorker()])
        for seed in 1...Self.runs where seed % Self.lanes == lane { try interleaving.run(seed: UInt64(seed)) }
        let usual: Set<String> = ["apply 200", "apply 403 approval-required", "bypass 200", "review 201"]
        let rare: Set<String> = [
            "apply 409 proposal-conflict", "apply 409 proposal-rejected", "apply 409 proposal-state", "undo 200",
            "undo 403 approval-required", "unreview 200", "tick applied", "tick conflicted", "tick expired",
            "tick missed", "tick not-approved", "tick rejected",
        ]
        let expected = TestDepth.current == .long && TestDepth.hasOwnNumbers ? usual.union(rare) : usual
        #expect(expected.subtracting(interleaving.outcomes) == [])
    }

    /// The runs in an environment, one after another.
    private struct Interleaving {
        let workers: [ProposalTeam]
        /// The outcomes that occurred in any run.
        var outcomes: Set<String> = []
        private var team: ProposalTeam
        private var model = ProposalModel()
        private var random = Randomness(seed: 0)
        private var note = Comment("")
        /// The number of releases that were made without approvals by a worker that needs none.
        private var freeReleases: Int64 = 0

        init(workers: [ProposalTeam]) {
            self.workers = workers
            team = workers[0]
        }

        mutating func run(seed: UInt64) throws {
            random = Randomness(seed: seed)
            model = ProposalModel()
            // No proposal of an earlier run takes part.
            try team.instance.asSuperuser(
                """
                update proposals set state = 'closed', closed_as = 'withdrawn', apply_at = null, zone = null,
                    apply_author = null, apply_author_kind = null, apply_keys = null, apply_issuer = null,
                    apply_subject = null
                where state in ('draft', 'open')
                """)
            try team.release(ProposalPropertyTests.patch(model.values))
            freeReleases = try counts().free
            for step in 0..<ProposalPropertyTests.steps {
                note = Comment("seed \(seed), step \(step)")
                team = workers.randomElement(using: &random)!
                try take(Int.random(in: 0..<20, using: &random))
                try compareValues()
            }
            try compareProposals()
            let counts = try counts()
            #expect(counts.free == freeReleases && counts.repeated == 0, note)
        }

        private mutating func take(_ step: Int) throws {
            if step < 3 { return try propose() }
            switch step {
            case 3:
                let place = model.values.keys.sorted().randomElement(using: &random)!
                let value = value(at: place)
                try team.release(ProposalPropertyTests.patch([place: value]))
                if model.release([place: value]) { freeReleases += 1 }
            case 4:
                _ = try team.call("ben", "POST", "/flags/checkout/disable").expecting(200)
                model.release([ProposalModel.state: ProposalModel.off])
            case 5: if model.newest != nil { try undo() }
            case 6: try tick()
            default:
                let pending = model.proposals.filter { $1.isPending || step == 7 }
                if let number = pending.keys.sorted().randomElement(using: &random) { try take(step, number) }
            }
        }

        private mutating func take(_ step: Int, _ number: Int64) throws {
            switch step {
            case 7, 8:
                let person = editor
                expect("apply", try team.apply(number, by: person).outcome, model.apply(number))
            case 9: expect("bypass", try team.bypass(number).outcome, model.apply(number, bypasses: true))
            case 10, 11, 12, 13: try review(number)
            case 14: try withdrawReview(number)
            case 15: try edit(number)
            case 16: try rebase(number)
            case 17: try moveState(number)
            case 18: try schedule(number, at: (ProposalPropertyTests.times + [nil]).randomElement(using: &random)!)
            default: try letTimePass(number)
            }
        }

        private mutating func expect(_ call: String, _ outcome: String, _ expected: String) {
            #expect(outcome == expected, "\(note): \(call)")
            outcomes.insert("\(call) \(outcome)")
        }

        private var editor: String {
            mutating get { ProposalPropertyTests.editors.randomElement(using: &random)! }
        }

        private func counts() throws -> (free: Int64, repeated: Int64) {
            let row = try team.instance.query("test_unexplained", ProposalPropertyTests.unexplained)[0]
            return (try row.bigint("free"), try row.bigint("repeated"))
        }

        private func compareValues() throws {
            let entries = try team.call("eve", "GET", "/config").expecting(200).json.arrayValue ?? []
            let values = Dictionary(
                uniqueKeysWithValues: entries.compactMap(\.objectValue).map { ($0["key"]?.stringValue, $0["value"]) })
            for (place, value) in model.values {
                let stored = values[place.key] ?? nil
                let part = place.path.isEmpty ? stored : stored?.objectValue?[place.path]
                #expect(part?.description == value, "\(note): \(place)")
            }
        }

        private func compareProposals() throws {
            let list = try team.call("eve", "GET", "/proposals?limit=100").expecting(200).json.arrayValue ?? []
            let states = Dictionary(
                uniqueKeysWithValues: list.compactMap(\.objectValue).map {
                    ($0["number"]?.numberValue?.int64, $0["state"]?.stringValue)
                })
            for (number, proposal) in model.proposals {
                #expect(states[number] == proposal.state.rawValue, "\(note): proposal \(number)")
            }
        }

        private mutating func propose() throws {
            var changes: [Place: String] = [:]
            let count = Int.random(in: 1...2, using: &random)
            for place in model.values.keys.sorted().shuffled(using: &random).prefix(count) {
                let value = value(at: place)
                if model.values[place] != value { changes[place] = value }
            }
            guard !changes.isEmpty else { return }
            let person = editor
            let number = try team.propose(ProposalPropertyTests.patch(changes), by: person)
            let values = model.values
            model.proposals[number] = ProposalModel.Proposal(
                edits: Dictionary(
                    uniqueKeysWithValues: changes.map { place, value in
                        (place, ProposalModel.Edit(before: values[place]!, after: value, authors: [person]))
                    }))
            // Without reviews, most proposals would meet no rule but the first.
            for _ in 0..<Int.random(in: 0...3, using: &random) { try review(number) }
        }

        private mutating func undo() throws {
            let revision = try #require(try team.call("eve", "GET", "/config").revision)
            let answer = try team.call("ben", "POST", "/releases/\(revision - 1)/restore")
            expect("undo", answer.outcome, model.undo())
        }

        private mutating func review(_ number: Int64) throws {
            guard var proposal = model.proposals[number] else { return }
            let person = ProposalPropertyTests.approvers.randomElement(using: &random)!
            let isApproval = Int.random(in: 0..<5, using: &random) > 0
            let outcome = try team.review(number, isApproval ? "approve" : "reject", by: person).outcome
            let hasKeys = proposal.edits.contains { model.values[$0] != $1.after }
            let expected =
                proposal.state != .open
                ? "409 proposal-state"
                : proposal.contributors.contains(person)
                    ? "403 own-contribution" : hasKeys ? "201" : "403 scope-too-small"
            expect("review", outcome, expected)
            guard outcome == "201" else { return }
            proposal.reviews[person] = ProposalModel.Review(
                isApproval: isApproval, round: proposal.round, effect: proposal.effect)
            model.proposals[number] = proposal
        }

        private mutating func withdrawReview(_ number: Int64) throws {
            guard let proposal = model.proposals[number] else { return }
            let person = ProposalPropertyTests.approvers.randomElement(using: &random)!
            let isThere = proposal.reviews[person] != nil
            let expected =
                proposal.state != .open ? "409 proposal-state" : isThere ? "200" : "404 review-not-found"
            let outcome = try team.withdrawReview(of: number, by: person).outcome
            expect("unreview", outcome, expected)
            if outcome == "200" { model.proposals[number]?.reviews[person] = nil }
        }

        /// Gives one edit another value.
        private mutating func edit(_ number: Int64) throws {
            guard var proposal = model.proposals[number], proposal.isPending,
                let place = proposal.edits.keys.sorted().randomElement(using: &random)
            else { return }
            let (person, value) = (editor, value(at: place))
            guard proposal.edits[place]?.after != value, model.values[place] != value else { return }
            proposal.edits[place] = ProposalModel.Edit(before: model.values[place]!, after: value, authors: [person])
            proposal.round += 1
            let edits = proposal.edits.map { #"{"key":"\#($0.key)","path":"\#($0.path)","after":\#($1.after)}"# }
            try team.change(number, #"{"edits":[\#(edits.joined(separator: ","))]}"#, by: person).expecting(200)
            model.proposals[number] = proposal
        }

        private mutating func rebase(_ number: Int64) throws {
            guard var proposal = model.proposals[number], proposal.isPending else { return }
            let conflicts = model.conflicts(proposal)
            let person = editor
            var choices: [String] = []
            for place in conflicts {
                let isMine = Bool.random(using: &random)
                choices.append(#""\#(place.key)/\#(place.path)":"\#(isMine ? "mine" : "theirs")""#)
                proposal.edits[place]?.before = model.values[place]!
                // The author of the value stays a contributor.
                proposal.edits[place]?.authors.insert(person)
                if !isMine { proposal.edits[place] = nil }
            }
            if !conflicts.isEmpty { proposal.round += 1 }
            let outcome = try team.call(
                person, "POST", "/proposals/\(number)/rebase", #"{"keep":{\#(choices.joined(separator: ","))}}"#
            ).outcome
            expect("rebase", outcome, proposal.edits.isEmpty ? "409 proposal-empty" : "200")
            if outcome == "200" { model.proposals[number] = proposal }
        }

        /// Submits, recalls or withdraws a proposal.
        private mutating func moveState(_ number: Int64) throws {
            guard let state = model.proposals[number]?.state else { return }
            let step = ["submit", "recall", "withdraw", "submit"].randomElement(using: &random)!
            let next: ProposalModel.Proposal.State? =
                switch (step, state) {
                case ("submit", .draft): .open
                case ("recall", .open): .draft
                case ("withdraw", .draft), ("withdraw", .open): .closed
                default: nil
                }
            expect(step, try team.step(step, number, by: editor).outcome, next == nil ? "409 proposal-state" : "200")
            if let next { model.proposals[number]?.state = next }
        }

        /// Sets, moves or removes the time.
        private mutating func schedule(_ number: Int64, at time: String?) throws {
            let text = time.map { #""\#($0)""# } ?? "null"
            try team.change(number, #"{"apply_at":\#(text)}"#, by: editor).expecting(200)
            model.proposals[number]?.schedule(time)
        }

        /// Lets the time of a proposal come, or the days after which it expires.
        private mutating func letTimePass(_ number: Int64) throws {
            guard let proposal = model.proposals[number] else { return }
            if proposal.clock == .off, Int.random(in: 0..<4, using: &random) == 0 {
                try team.instance.asSuperuser(
                    """
                    update proposals set changed_at = clock_timestamp() - interval '14 days 1 minute'
                    where number = \(number)
                    """)
                return try tick(expired: proposal.state == .open ? number : nil)
            }
            if proposal.clock == .off { try schedule(number, at: ProposalPropertyTests.times[0]) }
            let isLate = Int.random(in: 0..<4, using: &random) == 0
            try team.makeDue(number, minutes: isLate ? 61 : 0)
            model.proposals[number]?.clock = isLate ? .late : .due
            model.proposals[number]?.time = try team.member("apply_at", of: number).stringValue
            // Approvals are for the time that the reviewer sees.
            for _ in 0..<Int.random(in: 0...4, using: &random) { try review(number) }
            if Bool.random(using: &random) { try tick() }
        }

        /// - Parameter expired: The open proposal that nobody changed for too long.
        private mutating func tick(expired: Int64? = nil) throws {
            try team.instance.service.applyDueProposals()
            var results = model.tick()
            if let expired {
                results[expired] = "expired"
                model.proposals[expired]?.state = .closed
            }
            for (number, result) in results {
                let proposal = try team.proposal(number)
                let ends = ["applied": "state", "expired": "closed_as"]
                let seen = ends[result].flatMap { proposal[$0] } ?? proposal["failure"]?.objectValue?["reason"]
                expect("tick", seen?.stringValue ?? "nothing", result)
                #expect(proposal["scheduled"] == false, note)
            }
        }

        private mutating func value(at place: Place) -> String {
            switch place.path {
            case "state": Bool.random(using: &random) ? ProposalModel.on : ProposalModel.off
            case "defaultVariant": Bool.random(using: &random) ? #""on""# : #""off""#
            default: "\(Int.random(in: 1...3, using: &random))"
            }
        }
    }

    /// Returns a merge patch that sets some places.
    private static func patch(_ values: [Place: String]) -> String {
        let members = Dictionary(grouping: values, by: \.key.key).map { key, places in
            let content = places.map { $0.key.path.isEmpty ? $0.value : #""\#($0.key.path)":\#($0.value)"# }
                .joined(separator: ",")
            return places[0].key.path.isEmpty ? #""\#(key)":\#(content)"# : #""\#(key)":{\#(content)}"#
        }
        return "{\(members.joined(separator: ","))}"
    }
}
