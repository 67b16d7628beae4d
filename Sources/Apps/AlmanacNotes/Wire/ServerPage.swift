internal import AlmanacForms
internal import AlmanacRevisions
internal import AlmanacTimestamps

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A page of `GET /{environment}/notes`.
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

    /// Parses and validates a response body.
    init(_ body: [UInt8]) throws(NotesSyncFailure) {
        self = try JSONDecoder().response(body, "the notes")
        let ids = (order ?? []) + (deleted ?? []) + (manifest ?? []).map(\.id)
        guard ids.allSatisfy(NoteID.isValid) else {
            throw .unexpectedResponse("a note has an invalid id")
        }
        for id in order ?? [] where details?[id] == nil { throw .unexpectedResponse("a note has no details") }
        if more == true, next == nil { throw .unexpectedResponse("the notes have more pages but no next") }
    }

    /// Returns the page's cursor, which must have a lineage.
    func place() throws(NotesSyncFailure) -> Cursor {
        guard let cursor = Cursor(cursor), cursor.lineage != nil else {
            throw .unexpectedResponse("the notes have no cursor")
        }
        return cursor
    }
}

struct ServerNote: Decodable {
    let title: String
    let body: String
    /// The tags; nil if the server does not support tags.
    var tags: [String]?
    var pinned: Bool?
    let revision: Int64
    var position: String?
    var created_at: String?
    var updated_at: String?
    /// The time of the last edit; nil if the server is older than this time.
    var edited_at: String?
    var deleted_at: String?

    /// Parses the response to `GET /{environment}/notes/{id}`.
    init(_ body: [UInt8]) throws(NotesSyncFailure) { self = try JSONDecoder().response(body, "the note") }

    var text: StoredNote.Text { StoredNote.Text(title: title, body: body, tags: tags ?? [], isPinned: pinned ?? false) }

    /// The times of creation and of the last edit, in milliseconds since 1970; zero if unknown or invalid.
    var times: (created: Int64, edited: Int64) {
        let created = created_at.flatMap(Self.milliseconds) ?? 0
        return (created, (edited_at ?? updated_at).flatMap(Self.milliseconds) ?? created)
    }

    /// Formats a time for the server; nil for a time outside the accepted range.
    static func written(_ milliseconds: Int64) -> String? {
        // The upper bound is the end of the year 9999.
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
