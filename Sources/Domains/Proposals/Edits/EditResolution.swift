public import AlmanacJSON

/// The effect of edits on the present config.
///
/// An edit applies only to the value that its author saw. An edit whose value is there already is dropped, and every
/// other one is a conflict. So an edit never takes back what others released meanwhile.
public struct EditResolution: Sendable {
    /// The entries after the release, by key; nil for an entry that goes. Keys without an applied edit are missing.
    public private(set) var entries: [String: EntryState?] = [:]
    public private(set) var applied: [ProposalEdit] = []
    /// The edits whose value others have released.
    public private(set) var dropped: [ProposalEdit] = []
    public private(set) var conflicts: [Conflict] = []

    /// An edit and the present value, which is neither the one before nor the one after.
    public struct Conflict: Sendable {
        public let edit: ProposalEdit
        /// The present value; nil if the part is absent.
        public let now: JSONValue?
    }

    /// - Parameter present: The present entries of the edits' keys; a missing key is absent.
    public init(_ edits: [ProposalEdit], on present: [String: EntryState]) {
        for (key, edits) in Dictionary(grouping: edits, by: \.key).sorted(by: { $0.key < $1.key }) {
            resolve(edits.sorted(by: ProposalEdit.precedes), of: key, on: present[key])
        }
    }

    private mutating func resolve(_ edits: [ProposalEdit], of key: String, on present: EntryState?) {
        var applied: [ProposalEdit] = []
        var hasConflict = false
        let makesEntry = edits.contains { $0.path == .whole && $0.after != nil }
        for edit in edits {
            let now = present?.value(at: edit.path)
            // A part can only change where there is an entry, and one of a definition only where there is a definition.
            let isImpossible =
                edit.path.isInDefinition
                ? present.map { $0.kind == .value } ?? true : present == nil && edit.path != .whole && !makesEntry
            if isImpossible {
                conflicts.append(Conflict(edit: edit, now: nil))
                hasConflict = true
            } else if now == edit.before {
                applied.append(edit)
            } else if now == edit.after {
                dropped.append(edit)
            } else {
                conflicts.append(Conflict(edit: edit, now: now))
                hasConflict = true
            }
        }
        guard !hasConflict, !applied.isEmpty else { return }
        self.applied += applied
        entries[key] = Self.state(applying: applied, to: present)
    }

    private static func state(applying edits: [ProposalEdit], to present: EntryState?) -> EntryState? {
        if let whole = edits.first(where: { $0.path == .whole }), whole.after == nil { return nil }
        return (present ?? EntryState(value: .null)).setting(edits.map { ($0.path, $0.after) })
    }
}
