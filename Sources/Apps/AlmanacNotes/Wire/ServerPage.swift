#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// One page of `GET /{environment}/notes`.
struct ServerPage: Decodable {
    let cursor: String
    var order: [String]?
    var details: [String: ServerNote]?
    var deleted: [String]?
    var manifest: [ManifestEntry]?
    var more: Bool?
    var next: String?

    struct ManifestEntry: Decodable {
        let id: String
        let revision: Int64
    }

    /// Reads an answer, and refuses what no server of this kind says.
    init(_ body: [UInt8]) throws(SyncFailure) {
        do {
            self = try JSONDecoder().decode(ServerPage.self, from: Data(body))
        } catch {
            throw .garbled("the notes cannot be read")
        }
        let ids = (order ?? []) + (deleted ?? []) + (manifest ?? []).map(\.id)
        guard ids.allSatisfy(NoteID.isValid) else { throw .garbled("a note has an id that no note can have") }
        for id in order ?? [] where details?[id] == nil { throw .garbled("a note has no details") }
        if more == true, next == nil { throw .garbled("there are more notes, and no way to them") }
    }

    func place() throws(SyncFailure) -> Cursor {
        guard let cursor = Cursor(cursor) else { throw .garbled("the notes have no cursor") }
        return cursor
    }
}

/// A note as the server writes it.
struct ServerNote: Decodable {
    let title: String
    let body: String
    let revision: Int64
    var position: String?
    var created_at: String?
    var updated_at: String?
    var deleted_at: String?

    var text: NoteText { NoteText(title: title, body: body) }
}
