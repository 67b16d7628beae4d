internal import AlmanacSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// To the server.
extension NotesStore {
    /// Sends everything that can be sent now.
    ///
    /// - Returns: whether there was anything.
    func push(to server: NotesServer) async throws -> Bool {
        let actions = try depart()
        guard !actions.isEmpty else { return false }
        var batch: [(action: WireAction, bytes: [UInt8])] = []
        var size = 0
        for action in actions {
            let bytes = try action.bytes
            if !batch.isEmpty, batch.count == Self.mostActions || size + bytes.count > Self.mostBytes {
                try await send(batch[...], to: server)
                (batch, size) = ([], 0)
            }
            batch.append((action, bytes))
            size += bytes.count
        }
        try await send(batch[...], to: server)
        return true
    }

    private static let mostActions = 100
    private static let mostBytes = 1 << 20

    /// Writes down what is about to be sent, and gives it with what has had no answer yet.
    private func depart() throws -> [WireAction] {
        try database.transaction {
            var actions: [WireAction] = []
            for var record in try table.dirty(limit: 1000) {
                if record.flight == nil {
                    guard try canDepart(&record), record.depart(surroundings.newID()) != nil else { continue }
                    try table.save(record)
                }
                if let flight = record.flight { actions.append(WireAction(flight, of: record)) }
            }
            return actions
        }
    }

    /// Lets a move wait until the server knows the note that it goes behind, and drops it where it never will.
    private func canDepart(_ record: inout NoteRecord) throws -> Bool {
        guard record.nextKind == .move, let after = record.wish?.after else { return true }
        if let other = try table.find(after) {
            if other.shadow != nil { return true }
            if other.isDirty { return false }
        }
        record.wish = nil
        try table.save(record)
        return false
    }

    /// Sends a batch; one that is refused as a whole is sent in halves, down to the action at fault.
    private func send(
        _ batch: ArraySlice<(action: WireAction, bytes: [UInt8])>, to server: NotesServer
    ) async throws {
        var body = Array("[".utf8)
        body += batch.map(\.bytes).joined(separator: Array(",".utf8))
        body += "]".utf8
        let answer = try await server.send(
            NotesRequest("POST", "notes", headers: [("Content-Type", "application/json")], body: body))
        if answer.status == 200 { return try take(try ServerResults(answer.body), of: batch.map(\.action)) }
        guard [400, 413, 422].contains(answer.status), let problem = ServerProblem(answer) else { throw answer.failure }
        if batch.count > 1 {
            let middle = batch.startIndex + batch.count / 2
            try await send(batch[..<middle], to: server)
            try await send(batch[middle...], to: server)
        } else if let action = batch.first?.action {
            let refusal = NoteProblem(type: problem.shortType, detail: problem.detail ?? "")
            try settle([(action, .rejected(refusal))])
        }
    }

    private func take(_ results: ServerResults, of actions: [WireAction]) throws {
        let known = Dictionary(actions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let lineage: String
        if let cursor = results.cursor.flatMap({ Cursor($0) }) {
            lineage = cursor.lineage
        } else if results.results.allSatisfy({ $0.status == "rejected" }) {
            lineage = ""
        } else {
            throw SyncFailure.garbled("the results have no cursor")
        }
        var answers: [(WireAction, NoteRecord.Answer)] = []
        var failure: SyncFailure?
        for result in results.results {
            guard let action = result.action_id.flatMap({ known[$0] }) else { continue }
            do {
                answers.append((action, try result.answer(to: action.sent, lineage: lineage)))
            } catch {
                // The others count all the same.
                failure = error
            }
        }
        try settle(answers)
        if let failure { throw failure }
        guard answers.count == actions.count else { throw SyncFailure.garbled("some actions have no result") }
    }

    private func settle(_ answers: [(action: WireAction, answer: NoteRecord.Answer)]) throws {
        var changed: Set<String> = []
        try database.transaction {
            for (action, answer) in answers {
                guard var record = try table.find(action.noteID) else { continue }
                let before = record
                switch record.answer(answer, to: action.id) {
                case .gone: try table.remove(record.id)
                case .kept where record != before: try table.save(record)
                case .kept: continue
                }
                changed.insert(record.id)
            }
        }
        announce(changed)
    }
}
