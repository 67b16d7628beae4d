/// The edits of a proposal, made for the present config.
public struct Rebase: Sendable {
    /// The edits, sorted by key and path.
    public private(set) var edits: [ProposalEdit] = []
    /// True if an edit changed or went, which begins a new round.
    public private(set) var changesEdits = false

    /// The value that a conflicting edit gets.
    public enum Choice: String, Sendable {
        /// The edit stays, and replaces the present value.
        case mine
        /// The present value stays, and the edit goes.
        case theirs
    }

    /// The conflicts without a choice.
    public struct Unsettled: Error {
        public let conflicts: [EditResolution.Conflict]
    }

    /// - Parameters:
    ///   - choices: The choice for each conflict, by key and path.
    ///   - author: The person who makes the choices, and becomes the author of each edit kept as "mine". Those who
    ///     wrote its value stay contributors.
    ///   - round: The round that begins if an edit changes.
    public init(
        _ edits: [ProposalEdit], on present: [String: EntryState], choices: [String: [PartPath: Choice]],
        by author: ProposalAuthor, round: Int
    ) throws(Unsettled) {
        let conflicts = EditResolution(edits, on: present).conflicts
        let unsettled = conflicts.filter { choices[$0.edit.key]?[$0.edit.path] == nil }
        guard unsettled.isEmpty else { throw Unsettled(conflicts: unsettled) }
        let conflicting = Dictionary(grouping: conflicts, by: \.edit.key).mapValues { conflicts in
            Dictionary(conflicts.map { ($0.edit.path, $0) }) { first, _ in first }
        }
        for edit in edits.sorted(by: ProposalEdit.precedes) {
            guard let conflict = conflicting[edit.key]?[edit.path] else {
                // The value is there already, or is still the one that the author saw.
                self.edits.append(edit)
                continue
            }
            changesEdits = true
            // A part whose entry went cannot stay.
            let isPossible = !edit.path.isInDefinition || present[edit.key].map { $0.kind != .value } ?? false
            guard choices[edit.key]?[edit.path] == .mine, isPossible else { continue }
            self.edits.append(
                ProposalEdit(
                    key: edit.key, path: edit.path, before: conflict.now, after: edit.after, author: author,
                    earlierAuthors: edit.contributors.filter { $0 != author }, round: round))
        }
    }
}
