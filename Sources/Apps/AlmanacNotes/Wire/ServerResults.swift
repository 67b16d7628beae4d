internal import TextMerge

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The answer to a batch of actions.
struct ServerResults: Decodable {
    var cursor: String?
    let results: [Result]

    struct Result: Decodable {
        let status: String
        var action_id: String?
        var revision: Int64?
        var deleted: Bool?
        var title: WireDelta?
        var body: WireDelta?
        var note: ServerNote?
        var problem: ServerProblem?
    }

    init(_ body: [UInt8]) throws(SyncFailure) {
        do {
            self = try JSONDecoder().decode(ServerResults.self, from: Data(body))
        } catch {
            throw .garbled("the results cannot be read")
        }
    }
}

extension ServerResults.Result {
    /// What the result means for the note whose action it is about.
    ///
    /// - Throws: where it says what no server of this kind says; the action is then sent again.
    func answer(to sent: NoteText, lineage: String) throws(SyncFailure) -> NoteRecord.Answer {
        if status == "rejected" {
            guard let problem else { throw .garbled("an action was rejected without a reason") }
            // Not a word about the action itself: it is sent again.
            if problem.isPassing { throw .refused(status: problem.status ?? 503, problem.shortType) }
            return .rejected(NoteProblem(type: problem.shortType, detail: problem.detail ?? problem.title ?? ""))
        }
        guard ["applied", "merged", "duplicate"].contains(status) else {
            throw .garbled("a result has no known status")
        }
        let isPurged = status == "duplicate" && note == nil
        guard let revision = note?.revision ?? revision ?? (isPurged ? 0 : nil), revision >= 0 else {
            throw .garbled("a result has no revision")
        }
        var taken = NoteRecord.Taken(cursor: Cursor(revision: revision, lineage: lineage))
        taken.isPurged = isPurged
        taken.isInTrash = deleted == true || note?.deleted_at != nil
        if let note {
            taken.text = note.text
        } else if title != nil || body != nil {
            do {
                taken.text = NoteText(
                    title: try title?.delta.apply(to: sent.title) ?? sent.title,
                    body: try body?.delta.apply(to: sent.body) ?? sent.body)
            } catch {
                throw .garbled("a merge does not fit the text that was sent")
            }
        } else if status == "merged" {
            throw .garbled("a merge says nothing about the text")
        }
        return .taken(taken)
    }
}
