internal import AlmanacRevisions

/// Where a reader stands in the histories that it follows: the `id` of an event. Written `config=43.k3f9,notes=18.k3f9`.
struct EventID: Hashable, Sendable, CustomStringConvertible {
    var config: Cursor?
    var notes: Cursor?

    init(config: Cursor? = nil, notes: Cursor? = nil) {
        self.config = config
        self.notes = notes
    }

    /// Reads what `description` writes: one of the two or both, each with its lineage.
    init?(_ text: String) {
        guard text.utf8.count <= 128 else { return nil }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count == 2, let cursor = Cursor(sides[1]), cursor.lineage != nil else { return nil }
            switch sides[0] {
            case "config" where config == nil: config = cursor
            case "notes" where notes == nil: notes = cursor
            default: return nil
            }
        }
    }

    var description: String {
        [config.map { "config=\($0)" }, notes.map { "notes=\($0)" }].compactMap(\.self).joined(separator: ",")
    }
}
