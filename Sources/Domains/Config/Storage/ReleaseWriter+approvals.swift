internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacProposals

extension ReleaseWriter {
    /// Refuses a release that needs approvals, unless it applies a proposal or bypasses them.
    ///
    /// - Returns: The reason why the release needs no approvals; nil if the environment needs none, or if the release
    ///   has them.
    func exemption(
        of plan: ReleasePlan, _ intent: Intent, on connection: Connection
    ) throws -> ApprovalPolicy.Exemption? {
        guard let policy, intent.proposal == nil, intent.bypassReason == nil else { return nil }
        let changes = plan.changes.map { (key: $0.key, before: $0.stateBefore, after: $0.stateAfter) }
        let effect = ReleaseEffect(changes: changes, undone: nil)
        if intent.mayDisable, effect.onlyDisables { return .disable }
        if let exemption = effect.exemption(in: policy) { return exemption }
        let undone = try policy.exemptions.contains(.undo) ? newestRelease(on: connection) : nil
        if let exemption = ReleaseEffect(changes: changes, undone: undone).exemption(in: policy) { return exemption }
        let keys = plan.changes.map(\.key)
        let unmet = Dictionary(grouping: keys, by: policy.required).map { required, keys in
            ReviewStanding.Unmet(keys: keys.sorted(), required: required, has: 0)
        }
        throw ProposalRefusal.approvalRequired(unmet.sorted { $0.keys[0] < $1.keys[0] })
    }

    /// Refuses a purge or a retirement without a reason in an environment with approvals, because neither can be
    /// proposed.
    func checkBypass(_ intent: Intent) throws(ProposalRefusal) {
        if policy != nil, intent.bypassReason == nil { throw .bypassRequired }
    }

    private func newestRelease(on connection: Connection) throws -> ReleaseEffect.Undone? {
        guard let row = try connection.run(Call(ProposalStatements.newestRelease)).first else { return nil }
        let changes = try connection.run(HistoryStatements.changes(of: try row.bigint("revision"))).map { row in
            (key: try row.text("key"), before: try Self.state(row, "before"), after: try Self.state(row, "after"))
        }
        let isUndo =
            try row.text("kind") == Release.Kind.restore.rawValue
            || row.optionalText("exemption") == ApprovalPolicy.Exemption.undo.rawValue
        return ReleaseEffect.Undone(
            changes: changes, age: try row.bigint("age"), isUndo: isUndo)
    }

    /// Returns the entry before or after a release.
    private static func state(_ row: Row, _ side: String) throws -> EntryState? {
        guard let value = try row.optionalBytes(side) else { return nil }
        let isBefore = side == "before"
        let kind = try (isBefore ? row.optionalText("kind_before") : nil) ?? row.text("kind")
        let description = try (isBefore ? row.optionalText("description_before") : nil) ?? row.text("description")
        return EntryState(
            value: try JSONValue(parsing: value, limits: .stored), kind: EntryState.Kind(rawValue: kind) ?? .value,
            description: description)
    }
}
