internal import AlmanacRevisions

/// How far a device has followed the server, and what it asks for next: a plain value, kept in the file.
struct SyncProgress: Sendable, Hashable {
    var phase = Phase.first
    /// The state up to which everything has been taken in.
    var cursor: Cursor?
    /// The state that the pages being read lead to.
    var destination: Cursor?
    /// The page to be asked for next.
    var next: String?

    /// The raw values stand in files.
    enum Phase: String, Sendable {
        /// Reads all notes, the latest change first.
        case first
        /// Reads what changed since the cursor.
        case changes
        /// Reads the list of all notes, to compare the copy with.
        case manifest
        /// Waits for its user to say whether many notes may go.
        case deciding = "asking"
    }

    /// The next request to the server; nil while the user has to decide.
    var query: [(name: String, value: String)]? {
        if phase == .deciding { return nil }
        if let next { return [("next", next)] }
        return switch phase {
        case .first: [("newest", "true"), ("limit", "100")]
        case .changes: cursor.map { [("since", $0.description)] } ?? [("newest", "true")]
        case .manifest: [("form", "manifest")]
        case .deciding: nil
        }
    }

    /// Receives a page.
    ///
    /// - Returns: whether it was the last of its phase.
    mutating func receivePage(_ cursor: Cursor, next: String?) -> Bool {
        if destination == nil || phase == .changes { destination = cursor }
        self.next = next
        guard next == nil else {
            // Everything up to here is in: a process that ends now goes on from here.
            if phase == .changes { advance(to: cursor) }
            return false
        }
        if let destination { advance(to: destination) }
        self.destination = nil
        return true
    }

    /// Another history, or too long ago: the copy has to be compared with the server's list.
    mutating func loseHistory() {
        next = nil
        destination = nil
        phase = cursor == nil ? .first : .manifest
    }

    /// Reads everything anew.
    mutating func restart() {
        phase = .first
        next = nil
        destination = nil
    }

    private mutating func advance(to cursor: Cursor) {
        // A stale response of some cache is no way back.
        if let known = self.cursor, known.lineage == cursor.lineage, known.revision > cursor.revision { return }
        if phase != .manifest { self.cursor = cursor }
    }
}
