internal import AlmanacForms
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacProposals
internal import AlmanacTimestamps

/// Reads proposals, and computes what they would do to the config that the connection sees.
///
/// The reader caches the flags, so it is used for one view, or while the head is locked.
final class ProposalReader {
    let writer: ReleaseWriter
    let connection: Connection
    /// Reserves memory for a proposal, in bytes; throws if there is too little.
    private let reserve: (Int) throws -> Void
    private var knownFlags: [String: JSONValue]?
    /// The proposals that others build on, by number.
    private var knownPredecessors: [Int64: Proposal] = [:]

    init(writer: ReleaseWriter, connection: Connection, reserve: @escaping (Int) throws -> Void = { _ in }) {
        self.writer = writer
        self.connection = connection
        self.reserve = reserve
    }

    /// The longest chain of proposals of which each builds on the next.
    static let maxChain = 8

    /// - Parameter locks: True to lock the proposal until the transaction ends.
    func proposal(_ number: Int64, locks: Bool = false) throws -> Proposal {
        let rows = try connection.run(locks ? ProposalStatements.lock(number) : ProposalStatements.find(number))
        guard let proposal = try complete(rows.map { $0 }).first else { throw ProposalRefusal.notFound(number) }
        return proposal
    }

    /// Calls a function with each proposal of a page, one after another, because edits are large.
    func forEach(of query: ProposalQuery, _ body: (Proposal) throws -> Void) throws {
        for row in try connection.run(ProposalStatements.page(query)) {
            try complete([row], onlyVerdicts: true).forEach(body)
        }
    }

    /// Calls a function with each pending proposal that has a time, one after another, earliest first.
    func forEachScheduled(limit: Int64, _ body: (Proposal) throws -> Void) throws {
        for row in try connection.run(ProposalStatements.scheduled(limit: limit)) {
            try complete([row], onlyVerdicts: true).forEach(body)
        }
    }

    /// Returns the keys that the author of a schedule may change at its time; nil if there is no such author now.
    func keys(of author: Proposal.ScheduleAuthor) throws -> KeySelection? {
        let scopes = try connection.run(ProposalStatements.scopes(of: author)).single("people")
            .optionalTextArray("scopes")
        return scopes?.compactMap(Scope.init(rawValue:)).changeableKeys.map(author.keys.intersection)
    }

    /// Returns the people whose approvals a proposal lacks, with names.
    func approvers(of proposal: Proposal, _ outlook: ProposalOutlook?) throws -> [(person: ReviewPerson, name: String)]
    {
        let keys = outlook?.standing.unmet.flatMap(\.keys) ?? []
        guard !keys.isEmpty else { return [] }
        let contributors = Set(proposal.edits.flatMap(\.contributors).compactMap(\.person))
        return try connection.run(ReviewStatements.approvers(of: proposal.number)).compactMap { row in
            let approvable = try row.textArray("scopes").compactMap(Scope.init(rawValue:)).approvableKeys
            guard let person = try ReviewPerson(row), !contributors.contains(person),
                keys.contains(where: approvable.includes)
            else { return nil }
            return (person, try row.text("name"))
        }
    }

    /// Throws if a person contributed an edit, or made, rotated or owned a token that wrote one.
    func checkIsNoContributor(_ person: ReviewPerson, to proposal: Proposal) throws {
        let isMaker = try connection.run(ReviewStatements.isMaker(person, of: proposal.number)).single("proposal_edits")
            .boolean("is_maker")
        if isMaker || proposal.edits.flatMap(\.contributors).contains(where: { $0.person == person }) {
            throw ProposalRefusal.contributor
        }
    }

    /// Adds the edits and reviews to rows of proposals.
    ///
    /// - Parameter onlyVerdicts: True to leave out comments and withdrawn verdicts.
    private func complete(_ rows: [Row], onlyVerdicts: Bool = false) throws -> [Proposal] {
        let numbers = try rows.map { try $0.bigint("number") }
        guard !numbers.isEmpty else { return [] }
        func grouped(_ call: Call) throws -> [Int64: [Row]] {
            try Dictionary(grouping: try connection.run(call).map { $0 }) { try $0.bigint("number") }
        }
        let edits = try grouped(ProposalStatements.edits(of: numbers))
        let reviews = try grouped(ReviewStatements.reviews(of: numbers, onlyVerdicts: onlyVerdicts))
        return try zip(rows, numbers).map { row, number in
            try Proposal(row, edits: edits[number] ?? [], reviews: reviews[number] ?? [])
        }
    }

    /// Computes the state of a proposal at a head; nil for a proposal that is not pending.
    ///
    /// - Parameter forecasts: False for a list, in which an approval counts for each part of the version.
    func outlook(of proposal: Proposal, at head: Head, forecasts: Bool = true) throws -> ProposalOutlook? {
        guard proposal.state == .draft || proposal.state == .open else { return nil }
        let predecessor = try pendingPredecessor(of: proposal)
        let present = try present(for: proposal.edits, predecessor, depth: 0)
        let resolution = EditResolution(proposal.edits, on: present)
        var (forecast, refusal): (Forecast?, ConfigRefusal?)
        if forecasts, resolution.conflicts.isEmpty, !resolution.applied.isEmpty, predecessor == nil {
            do {
                forecast = try self.forecast(resolution.entryEdits, of: proposal, at: head)
            } catch let failure as ConfigRefusal { refusal = failure }
        }
        let part = forecast?.plan.bump?.part ?? .patch
        let effect = try effect(of: proposal, resolution, present, in: head)
        return ProposalOutlook(
            resolution: resolution, forecast: forecast, refusal: refusal, effect: effect, part: part,
            standing: ReviewStanding(
                proposal.reviews.map(\.review), edits: proposal.edits,
                keys: ProposalOutlook.keys(resolution, forecast),
                present: (round: proposal.round, effect: effect, part: part), policy: writer.policy),
            pendingPredecessor: predecessor?.number)
    }

    /// Throws if a proposal has another effect than the caller saw. Forecasts nothing.
    func check(_ effect: String, of proposal: Proposal, at head: Head) throws {
        guard let present = try outlook(of: proposal, at: head, forecasts: false)?.effect, present != effect else {
            return
        }
        throw ProposalRefusal.effectChanged(present)
    }

    /// Returns the present entries of some keys.
    func present(of keys: [String]) throws -> [String: EntryState] {
        var states: [String: EntryState] = [:]
        for row in try connection.run(EntryStatements.newest(of: Array(Set(keys)))) {
            let entry = try Entry(row)
            states[entry.key] = try entry.state
        }
        return states
    }

    /// Throws if a proposal cannot build on another one: it does not exist, or waits for the proposal itself.
    func checkPredecessor(_ predecessor: Int64, of number: Int64?) throws {
        var next: Int64? = predecessor
        for _ in 0..<Self.maxChain {
            guard let current = next else { return }
            if current == number { throw ProposalRefusal.cycle(predecessor) }
            guard let row = try connection.run(ProposalStatements.find(current)).first else {
                throw ProposalRefusal.predecessorNotFound(current)
            }
            next = try row.optionalBigint("after_number")
        }
        throw ProposalRefusal.cycle(predecessor)
    }

    private func pendingPredecessor(of proposal: Proposal) throws -> Proposal? {
        guard let number = proposal.predecessor else { return nil }
        let predecessor = try knownPredecessors[number] ?? self.proposal(number)
        if knownPredecessors.updateValue(predecessor, forKey: number) == nil { try reserve(predecessor.memory) }
        return predecessor.state == .draft || predecessor.state == .open ? predecessor : nil
    }

    /// Returns the present entries of the edits' keys, with the result of the pending proposals that come before.
    private func present(
        for edits: [ProposalEdit], _ predecessor: Proposal?, depth: Int
    ) throws -> [String: EntryState] {
        var states = try present(of: edits.map(\.key))
        guard let predecessor, depth < Self.maxChain else { return states }
        let before = try present(
            for: predecessor.edits, try pendingPredecessor(of: predecessor), depth: depth + 1)
        for (key, state) in EditResolution(predecessor.edits, on: before).entries { states[key] = state }
        return states
    }

    private func forecast(_ edits: [EntryEdit], of proposal: Proposal, at head: Head) throws -> Forecast {
        let intent = ReleaseWriter.Intent(
            author: proposal.author, keys: .all, message: proposal.title, precondition: .none)
        let (plan, flags) = try writer.plan(intent, edits.map(\.key), { _, _, _ in edits }, at: head, on: connection)
        let majors = try connection.run(MajorStatements.all).map { try Major($0) }
        return try Forecast(plan, at: head, flags: flags, majors: majors)
    }

    /// Returns the present definitions of all flags by key.
    private func flags() throws -> [String: JSONValue] {
        if let knownFlags { return knownFlags }
        let rows = try connection.run(EntryStatements.flags).map { try Entry($0) }
            .filter { $0.isNewest && !$0.isTombstone }
        let flags = try Dictionary(uniqueKeysWithValues: rows.map { ($0.key, try $0.content() ?? .null) })
        knownFlags = flags
        return flags
    }

    /// A new history has another effect, so that a restored backup voids approvals.
    private func effect(
        of proposal: Proposal, _ resolution: EditResolution, _ present: [String: EntryState], in head: Head
    ) throws -> String {
        var dependencies = [ProposalEffect.Dependency(name: "lineage", digest: head.lineage)]
        var split = 3
        let changed = proposal.edits.compactMap { resolution.entries[$0.key] ?? present[$0.key] }
        if changed.contains(where: { $0.kind != .value }) {
            let values = try flags()
            let settings = values[EntryKind.flagSetKey]?.objectValue
            split = settings?["fractional"]?.numberValue?.int64.map { Int($0) } ?? split
            dependencies += ProposalEffect.dependencies(
                of: changed, flags: values, rules: settings?["$evaluators"]?.objectValue ?? JSONObject())
        }
        return ProposalEffect.digest(
            of: proposal.edits, dependencies: dependencies, splitVersion: split,
            applyAt: (proposal.schedule?.at ?? proposal.missedAt)?.milliseconds)
    }
}
