internal import AlmanacClientRuntime
internal import AlmanacRevisions
internal import AlmanacSQLite

// Sending of changes.
extension NotesStore {
    /// Sends all actions that can be sent now. Returns false if there were none.
    func push(to server: NotesServer) async throws -> Bool {
        let actions = try beginActions()
        guard !actions.isEmpty else { return false }
        var batch: [(action: WireAction, bytes: [UInt8])] = []
        var size = 0
        for action in actions {
            let bytes = try action.bytes
            if !batch.isEmpty, batch.count == Self.maxBatchActions || size + bytes.count > Self.maxBatchBytes {
                try await send(batch[...], to: server)
                (batch, size) = ([], 0)
            }
            batch.append((action, bytes))
            size += bytes.count
        }
        try await send(batch[...], to: server)
        return true
    }

    private static let maxBatchActions = 100
    private static let maxBatchBytes = 1 << 20

    /// Records the next actions as pending, and returns all pending actions.
    private func beginActions() throws -> [WireAction] {
        try database.transaction {
            var actions: [WireAction] = []
            for var record in try table.dirty(limit: 1000) {
                if record.pendingAction == nil {
                    guard try canBegin(&record), record.beginAction(id: random.identifier()) != nil else { continue }
                    try table.save(record)
                }
                if let action = record.pendingAction { actions.append(WireAction(action, of: record)) }
            }
            return actions
        }
    }

    /// Returns true if the next action may begin. A move waits until the server has the preceding note, and is dropped
    /// if the server will never have it.
    private func canBegin(_ record: inout NoteRecord) throws -> Bool {
        guard record.nextAction == .move, let after = record.pendingMove?.after else { return true }
        if let other = try table.find(after) {
            if other.shadow != nil { return true }
            if other.isDirty { return false }
        }
        record.pendingMove = nil
        try table.save(record)
        return false
    }

    /// Sends a batch. A batch that is rejected as a whole is split in halves down to the invalid action.
    private func send(_ batch: ArraySlice<(action: WireAction, bytes: [UInt8])>, to server: NotesServer) async throws {
        var body = Array("[".utf8)
        body += batch.map(\.bytes).joined(separator: Array(",".utf8))
        body += "]".utf8
        let response = try await server.send(try server.request("POST", "notes", json: body))
        if response.status == 200 {
            let actions = batch.map(\.action)
            let results = try await completed(try ActionResults(response.body), of: actions, from: server)
            return try receive(results, of: actions)
        }
        guard let refusal = refusal(response) else { throw server.failure(of: response) }
        if batch.count > 1 {
            let middle = batch.startIndex + batch.count / 2
            try await send(batch[..<middle], to: server)
            try await send(batch[middle...], to: server)
        } else if let action = batch.first?.action {
            try applyOutcomes([(action, .rejected(refusal))])
        }
    }

    /// Returns the problem if a batch was rejected because of its content; nil for any other failure.
    private func refusal(_ response: TransportResponse<[UInt8]>) -> StoredNote.Problem? {
        let problem = ServerProblem(response.body)
        switch response.status {
        case 413:
            // A proxy may have a lower size limit than the server and sends no problem document.
            return StoredNote.Problem(
                type: problem?.shortType ?? "body-too-large",
                detail: problem?.detail ?? "This note is too long to sync.")
        case 400, 422: return problem.map { StoredNote.Problem(type: $0.shortType, detail: $0.detail ?? "") }
        default: return nil
        }
    }

    /// Fetches texts that the results omit because of their size. If that fails, the action is sent again.
    private func completed(
        _ results: ActionResults, of actions: [WireAction], from server: NotesServer
    ) async throws -> ActionResults {
        var results = results
        results.markTagsToRead(
            of: Dictionary(actions.map { ($0.id, $0.kind) }, uniquingKeysWith: { first, _ in first }))
        let notes = Dictionary(
            actions.filter { $0.kind != .purge }.map { ($0.id, $0.noteID) }, uniquingKeysWith: { first, _ in first })
        for (index, result) in results.results.enumerated() {
            guard let revision = result.revisionToRead, let note = result.action_id.flatMap({ notes[$0] }) else {
                continue
            }
            let query = [(name: "revision", value: "\(revision)")]
            let response = try await server.send(try server.request("GET", "notes/\(note)", query: query))
            if response.status == 200 { results.results[index].note = try? ServerNote(response.body) }
        }
        return results
    }

    private func receive(_ results: ActionResults, of actions: [WireAction]) throws {
        let known = Dictionary(actions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let lineage: String
        if let cursor = results.cursor.flatMap({ Cursor($0) }), let known = cursor.lineage {
            lineage = known
        } else if results.results.allSatisfy({ $0.status == "rejected" }) {
            lineage = ""
        } else {
            throw NotesSyncFailure.unexpectedResponse("the results have no cursor")
        }
        var outcomes: [(WireAction, NoteRecord.ActionOutcome)] = []
        var failure: NotesSyncFailure?
        for result in results.results {
            guard let action = result.action_id.flatMap({ known[$0] }) else { continue }
            do {
                outcomes.append((action, try result.outcome(of: action, lineage: lineage)))
            } catch {
                // Apply the other results before throwing.
                failure = error
            }
        }
        try applyOutcomes(outcomes)
        if let failure { throw failure }
        guard outcomes.count == actions.count else {
            throw NotesSyncFailure.unexpectedResponse("some actions have no result")
        }
    }

    private func applyOutcomes(_ outcomes: [(action: WireAction, outcome: NoteRecord.ActionOutcome)]) throws {
        var changed: Set<String> = []
        try database.transaction {
            for (action, outcome) in outcomes {
                guard var record = try table.find(action.noteID) else { continue }
                let before = record
                switch record.receive(outcome, ofAction: action.id) {
                case .remove: try table.remove(record.id)
                case .keep where record != before: try table.save(record)
                case .keep: continue
                }
                changed.insert(record.id)
            }
        }
        announce(changed)
    }
}
