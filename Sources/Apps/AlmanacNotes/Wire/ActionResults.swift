internal import AlmanacRevisions
internal import TextMerge

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The response to a batch of actions.
struct ActionResults: Decodable {
    var cursor: String?
    var results: [Result]

    struct Result: Decodable {
        var status: String
        var action_id: String?
        var revision: Int64?
        var deleted: Bool?
        var title: WireDelta?
        var body: WireDelta?
        var tags: [String]?
        var pinned: Bool?
        var note: ServerNote?
        var problem: ServerProblem?
    }

    init(_ body: [UInt8]) throws(NotesSyncFailure) {
        self = try JSONDecoder().response(body, "the results")
    }
}

extension ActionResults {
    /// Marks what was too long to hold its tags, which others beside it have: they are to be read with the text.
    mutating func markTagsToRead(of kinds: [String: NoteRecord.PendingAction.Kind]) {
        guard results.contains(where: { $0.tags != nil }) else { return }
        for (index, result) in results.enumerated() where result.status == "applied" && result.tags == nil {
            guard let kind = result.action_id.flatMap({ kinds[$0] }), kind.isWritten else { continue }
            results[index].status = "merged"
            (results[index].title, results[index].body) = (nil, nil)
        }
    }
}

extension NoteRecord.PendingAction.Kind {
    /// Whether it says what is written of the note.
    fileprivate var isWritten: Bool { [.create, .update, .spelledUpdate].contains(self) }
}

extension ActionResults.Result {
    /// The revision as of which the note's text is to be read, where the results were too long to hold it.
    var revisionToRead: Int64? {
        let needsText = status == "duplicate" || status == "merged" && title == nil && body == nil
        return needsText && note == nil ? revision : nil
    }

    /// The meaning of the result for the note whose action it is about.
    ///
    /// - Throws: where it says what no server of this kind says; the action is then sent again.
    func outcome(of action: WireAction, lineage: String) throws(NotesSyncFailure) -> NoteRecord.ActionOutcome {
        let sent = action.sent
        if status == "rejected" {
            guard let problem else { throw .unexpectedResponse("an action was rejected without a reason") }
            // This says nothing about the action itself, which is sent again.
            if problem.isTemporary { throw .refused(status: problem.status ?? 503, problem: problem.shortType) }
            return .rejected(StoredNote.Problem(type: problem.shortType, detail: problem.detail ?? problem.title ?? ""))
        }
        guard ["applied", "merged", "duplicate"].contains(status) else {
            throw .unexpectedResponse("a result has no known status")
        }
        if action.kind == .purge {
            return .accepted(NoteRecord.ServerState(cursor: Cursor(revision: revision ?? 0, lineage: lineage)))
        }
        guard revisionToRead == nil else { throw .unexpectedResponse("the text of a note could not be read") }
        let isPurged = status == "duplicate" && note == nil
        guard let revision = note?.revision ?? revision ?? (isPurged ? 0 : nil), revision >= 0 else {
            throw .unexpectedResponse("a result has no revision")
        }
        var state = NoteRecord.ServerState(cursor: Cursor(revision: revision, lineage: lineage))
        state.isPurged = isPurged
        state.isInTrash = deleted == true || note?.deleted_at != nil
        if let note {
            state.text = note.text
        } else if title != nil || body != nil || action.kind != .delete && (tags != nil || pinned != nil) {
            do {
                state.text = StoredNote.Text(
                    title: try title?.delta.apply(to: sent.title) ?? sent.title,
                    body: try body?.delta.apply(to: sent.body) ?? sent.body,
                    tags: tags ?? sent.tags, isPinned: pinned ?? sent.isPinned)
            } catch {
                throw .unexpectedResponse("a merge does not fit the text that was sent")
            }
            guard state.text?.canBeKept == true else { throw .unexpectedResponse("a note cannot be kept") }
        } else if status == "merged" {
            throw .unexpectedResponse("a merge says nothing about the text")
        }
        return .accepted(state)
    }
}

/// A problem document (RFC 9457).
struct ServerProblem: Decodable {
    var type: String?
    var title: String?
    var status: Int?
    var detail: String?

    private static let prefix = "urn:almanac:problem:"

    /// Reads the body of a response; nil where it is none of the server's own, as that of some proxy between.
    init?(_ body: [UInt8]) {
        guard let problem = try? JSONDecoder().decode(ServerProblem.self, from: Data(body)),
            problem.type?.hasPrefix(Self.prefix) == true
        else { return nil }
        self = problem
    }

    /// The last part of its type: `note-gone`.
    var shortType: String {
        guard let type else { return "unknown" }
        return type.hasPrefix(Self.prefix) ? String(type.dropFirst(Self.prefix.count)) : type
    }

    /// Whether the same action may well be accepted later.
    var isTemporary: Bool { status.map { $0 == 429 || $0 >= 500 } ?? false }
}
