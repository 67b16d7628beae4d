internal import AlmanacRevisions

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A page of `GET /{environment}/notes/{id}/history`.
struct ServerHistory: Decodable {
    let history: [Action]
    let more: Bool
    var next: Int64?

    struct Action: Decodable {
        let revision: Int64
        let action: String
        let updated_at: String
        var title: String?
        var body: String?
        var tags: [String]?
        var pinned: Bool?
    }

    init(_ body: [UInt8]) throws(NotesSyncFailure) {
        self = try JSONDecoder().response(body, "the history")
        if more, next == nil { throw .unexpectedResponse("the history has more pages but no next") }
    }

    /// - Parameter lineage: the lineage of the response's revisions; nil if the response has none.
    func history(lineage: String?) throws(NotesSyncFailure) -> StoredNote.History {
        var revisions: [StoredNote.PastRevision] = []
        for action in history {
            guard let time = ServerNote.milliseconds(action.updated_at) else {
                throw .unexpectedResponse("the history contains an invalid time")
            }
            revisions.append(
                StoredNote.PastRevision(
                    revision: action.revision, action: action.kind, date: Date(milliseconds: time), title: action.title,
                    body: action.body, tags: action.tags.map(NoteTags.sorted), isPinned: action.pinned,
                    cursor: Cursor(revision: action.revision, lineage: lineage)))
        }
        return StoredNote.History(revisions: revisions, next: more ? next : nil)
    }
}

extension ServerHistory.Action {
    fileprivate var kind: StoredNote.PastRevision.Action {
        switch action {
        case "createNote": .created
        case "updateNote": .edited
        case "moveNote": .moved
        case "deleteNote": .deleted
        case "restoreNote": .restored
        default: .other(action)
        }
    }
}
