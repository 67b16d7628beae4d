internal import AlmanacForms
internal import AlmanacRevisions
internal import AlmanacTimestamps

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

    /// Reads the body of a response, and refuses what no server of this kind says.
    init(_ body: [UInt8]) throws(NotesSyncFailure) {
        self = try JSONDecoder().response(body, "the notes")
        let ids = (order ?? []) + (deleted ?? []) + (manifest ?? []).map(\.id)
        guard ids.allSatisfy(NoteID.isValid) else {
            throw .unexpectedResponse("a note has an id that no note can have")
        }
        for id in order ?? [] where details?[id] == nil { throw .unexpectedResponse("a note has no details") }
        if more == true, next == nil { throw .unexpectedResponse("there are more notes, and no way to them") }
    }

    /// The state that the page is part of, with its lineage.
    func place() throws(NotesSyncFailure) -> Cursor {
        guard let cursor = Cursor(cursor), cursor.lineage != nil else {
            throw .unexpectedResponse("the notes have no cursor")
        }
        return cursor
    }
}

/// A note as the server writes it.
struct ServerNote: Decodable {
    let title: String
    let body: String
    /// A server older than tags says nothing of them.
    var tags: [String]?
    var pinned: Bool?
    let revision: Int64
    var position: String?
    var created_at: String?
    var updated_at: String?
    var deleted_at: String?

    /// Reads the response to `GET /{environment}/notes/{id}`.
    init(_ body: [UInt8]) throws(NotesSyncFailure) {
        self = try JSONDecoder().response(body, "the note")
    }

    var text: StoredNote.Text {
        StoredNote.Text(title: title, body: body, tags: tags ?? [], isPinned: pinned ?? false)
    }

    /// When it was made and last changed, in milliseconds since 1970; what can't be read counts as not known.
    var times: (created: Int64, updated: Int64) {
        let created = created_at.flatMap(Self.milliseconds) ?? 0
        return (created, updated_at.flatMap(Self.milliseconds) ?? created)
    }

    /// A time as a server reads it; nil for none, and for one that it cannot read.
    static func written(_ milliseconds: Int64) -> String? {
        // Up to the end of the year 9999.
        guard milliseconds > 0, milliseconds < 253_402_300_800_000 else { return nil }
        return "\(Timestamp(milliseconds: milliseconds))"
    }

    static func milliseconds(_ time: String) -> Int64? {
        guard let date = try? Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) else {
            return nil
        }
        return Int64((date.timeIntervalSince1970 * 1000).rounded())
    }
}
