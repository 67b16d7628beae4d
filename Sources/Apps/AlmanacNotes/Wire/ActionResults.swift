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

    init(_ body: [UInt8]) throws(NotesSyncFailure) { self = try JSONDecoder().response(body, "the results") }
}

extension ActionResults {
    /// Marks applied results whose tags were omitted because of the size limit, so that their text is read.
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
    /// True if the action changes the text of a note.
    fileprivate var isWritten: Bool { [.create, .update, .spelledUpdate].contains(self) }
}

extension ActionResults.Result {
    /// The revision at which the text must be read, if the result omits it because of its size; otherwise nil.
    var revisionToRead: Int64? {
        let needsText = status == "duplicate" || status == "merged" && title == nil && body == nil
        return needsText && note == nil ? revision : nil
    }

    /// Converts a result into the outcome of its action.
    ///
    /// - Throws: ``NotesSyncFailure`` if the result is invalid or temporary; the action is then sent again.
    func outcome(of action: WireAction, lineage: String) throws(NotesSyncFailure) -> NoteRecord.ActionOutcome {
        let sent = action.sent
        if status == "rejected" {
            guard let problem else { throw .unexpectedResponse("an action was rejected without a reason") }
            // A temporary problem does not reject the action, which is sent again.
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
            guard state.text?.isStorable == true else { throw .unexpectedResponse("a note cannot be stored") }
        } else if status == "merged" {
            throw .unexpectedResponse("a merge has no text")
        }
        return .accepted(state)
    }
}

/// A problem document (RFC 9457) of the server.
struct ServerProblem: Decodable {
    var type: String?
    var title: String?
    var status: Int?
    var detail: String?

    private static let prefix = "urn:almanac:problem:"

    /// Parses a response body. Returns nil for a body of another origin, such as a proxy.
    init?(_ body: [UInt8]) {
        guard let problem = try? JSONDecoder().decode(ServerProblem.self, from: Data(body)),
            problem.type?.hasPrefix(Self.prefix) == true
        else { return nil }
        self = problem
    }

    /// The last part of the problem type: `note-gone`.
    var shortType: String {
        guard let type else { return "unknown" }
        return type.hasPrefix(Self.prefix) ? String(type.dropFirst(Self.prefix.count)) : type
    }

    /// True if a retry may succeed.
    var isTemporary: Bool { status.map { $0 == 429 || $0 >= 500 } ?? false }
}
