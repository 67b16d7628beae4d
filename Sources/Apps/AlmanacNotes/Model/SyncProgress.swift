internal import AlmanacRevisions

/// The progress of reading notes from the server, stored in the file.
struct SyncProgress: Sendable, Hashable {
    var phase = Phase.first
    /// The server's state that this device has completely received.
    var cursor: Cursor?
    /// The server's state after the last of the pages that are being read.
    var destination: Cursor?
    /// The token of the next page.
    var next: String?

    /// Raw values are stored in files.
    enum Phase: String, Sendable {
        /// Reads all notes, sorted by the latest change.
        case first
        /// Reads the changes since the cursor.
        case changes
        /// Reads the list of all notes, to compare it with this device.
        case manifest
        /// Waits for the user's decision on many missing notes.
        case deciding = "asking"
    }

    /// The query of the next request; nil while the user has to decide.
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

    /// Records a page. Returns true if it was the last page of its phase.
    mutating func receivePage(_ cursor: Cursor, next: String?) -> Bool {
        if destination == nil || phase == .changes { destination = cursor }
        self.next = next
        guard next == nil else {
            // A restarted process resumes after this page.
            if phase == .changes { advance(to: cursor) }
            return false
        }
        if let destination { advance(to: destination) }
        self.destination = nil
        return true
    }

    /// Starts to compare all notes, because the server's history was replaced or no longer reaches back to the cursor.
    mutating func loseHistory() {
        next = nil
        destination = nil
        phase = cursor == nil ? .first : .manifest
    }

    mutating func restart() {
        phase = .first
        next = nil
        destination = nil
    }

    private mutating func advance(to cursor: Cursor) {
        // An older cursor comes from a stale cached response, so ignore it.
        if let known = self.cursor, known.lineage == cursor.lineage, known.revision > cursor.revision { return }
        if phase != .manifest { self.cursor = cursor }
    }
}
