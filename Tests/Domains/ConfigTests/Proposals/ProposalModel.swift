/// The rules of proposals in a few lines, for comparison with the server.
struct ProposalModel {
    struct Place: Hashable, Comparable {
        let key: String
        let path: String

        static func < (left: Place, right: Place) -> Bool { (left.key, left.path) < (right.key, right.path) }
    }

    struct Edit: Equatable {
        var before: String
        var after: String
        var authors: Set<String>
    }

    /// The part of a proposal that approvals are about.
    struct Effect: Equatable {
        let edits: [Place: [String]]
        let time: String?
    }

    struct Review: Equatable {
        let isApproval: Bool
        let round: Int
        let effect: Effect
    }

    struct Proposal {
        enum State: String { case draft, open, applied, closed }
        /// The clock's relation to the time of the release; `off` if there is no time, or if the release failed then.
        enum Clock { case off, waiting, due, late }

        var edits: [Place: Edit]
        var state = State.open
        var round = 1
        var clock = Clock.off
        /// The time of the release, also after it failed.
        var time: String?
        /// The newest verdict of each person.
        var reviews: [String: Review] = [:]

        var isPending: Bool { state == .draft || state == .open }
        var effect: Effect { Effect(edits: edits.mapValues { [$0.before, $0.after] }, time: time) }
        var contributors: Set<String> { edits.values.reduce(into: []) { $0.formUnion($1.authors) } }

        /// Sets or clears the time, which begins a round if it changes something.
        mutating func schedule(_ new: String?) {
            guard clock == .off ? new != nil || time != nil : new != time else { return }
            time = new
            clock = new == nil ? .off : .waiting
            round += 1
        }
    }

    /// The changes of the newest release, which an undo takes back.
    struct Release {
        let changes: [Place: (before: String, after: String)]
        let isUndo: Bool
    }

    static let state = Place(key: "checkout", path: "state")
    static let (on, off) = (#""ENABLED""#, #""DISABLED""#)

    /// The present value of each place, as JSON.
    private(set) var values: [Place: String] = [
        Place(key: "banner", path: ""): "1", Place(key: "theme", path: ""): "1", Place(key: "pay.limit", path: ""): "1",
        Self.state: Self.on, Place(key: "checkout", path: "defaultVariant"): #""off""#,
    ]
    var proposals: [Int64: Proposal] = [:]
    private(set) var newest: Release?

    /// Two approvals for `pay.limit`, and one for each other key.
    private func required(_ key: String) -> Int { key == "pay.limit" ? 2 : 1 }

    func conflicts(_ proposal: Proposal) -> [Place] {
        proposal.edits.filter { values[$0] != $1.before && values[$0] != $1.after }.keys.sorted()
    }

    /// Makes a release. Returns false if it changes nothing.
    @discardableResult
    mutating func release(_ changes: [Place: String], isUndo: Bool = false) -> Bool {
        let changes = changes.filter { values[$0] != $1 }
        guard !changes.isEmpty else { return false }
        newest = Release(
            changes: Dictionary(uniqueKeysWithValues: changes.map { ($0, (before: values[$0]!, after: $1)) }),
            isUndo: isUndo)
        values.merge(changes) { $1 }
        return true
    }

    /// Returns the outcome of applying a proposal, and makes its release.
    mutating func apply(_ number: Int64, bypasses: Bool = false) -> String {
        guard var proposal = proposals[number], proposal.state == .open else { return "409 proposal-state" }
        guard conflicts(proposal).isEmpty else { return "409 proposal-conflict" }
        let changes = proposal.edits.filter { values[$0] != $1.after }
        let keys = Set(changes.keys.map(\.key))
        let reviews = proposal.reviews.filter { person, review in
            !proposal.contributors.contains(person) && review.round == proposal.round
        }
        if !bypasses {
            // A proposal without a remaining change has no key that a reviewer could approve or reject.
            if !keys.isEmpty, reviews.values.contains(where: { !$0.isApproval }) { return "409 proposal-rejected" }
            let approvals = reviews.filter { $1.isApproval && $1.effect == proposal.effect }.count
            guard keys.allSatisfy({ required($0) <= approvals }) else { return "403 approval-required" }
        }
        release(changes.mapValues(\.after))
        proposal.state = .applied
        proposals[number] = proposal
        return "200"
    }

    /// Applies the due proposals. Returns the reason of each one that fails, and "applied" for the others.
    mutating func tick() -> [Int64: String] {
        let due = proposals.filter { $1.state == .open && ($1.clock == .due || $1.clock == .late) }
            .sorted { ($0.value.time ?? "", $0.key) < ($1.value.time ?? "", $1.key) }
        var results: [Int64: String] = [:]
        for (number, proposal) in due {
            switch proposal.clock == .late ? "late" : apply(number) {
            case "200": results[number] = "applied"
            case "late": results[number] = "missed"
            case "409 proposal-conflict": results[number] = "conflicted"
            case "409 proposal-rejected": results[number] = "rejected"
            default: results[number] = "not-approved"
            }
            if results[number] != "applied" { proposals[number]?.clock = .off }
        }
        return results
    }

    /// Returns the outcome of restoring the revision before the newest one, and makes its release.
    mutating func undo() -> String {
        guard let newest else { return "409" }
        let onlyDisables = newest.changes.allSatisfy { $0 == Self.state && $1.before == Self.off }
        let enables = newest.changes[Self.state].map { $0.before == Self.on } ?? false
        guard onlyDisables || !newest.isUndo && !enables else { return "403 approval-required" }
        release(newest.changes.mapValues(\.before), isUndo: true)
        return "200"
    }
}
