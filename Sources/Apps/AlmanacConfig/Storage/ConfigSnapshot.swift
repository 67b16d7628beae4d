internal import AlmanacRevisions
internal import Foundation

/// The server's complete config at one revision.
struct ConfigSnapshot: Sendable, Equatable {
    /// The environment's URL.
    var environment: String
    /// The pinned version; nil for the newest.
    var pin: String?
    var cursor: Cursor
    /// The environment's semantic version at this revision.
    var version: String
    var fetchedAt: Date
    var entries: [String: ConfigJSON]
}

/// The file format of a snapshot: one line with the head, then the entries as a JSON object.
extension ConfigSnapshot {
    private struct Head: Codable {
        var environment: String
        var pin: String?
        var cursor: String
        var version: String
        var fetchedAt: Double
    }

    func payload() throws -> Data {
        let head = Head(
            environment: environment, pin: pin, cursor: "\(cursor)", version: version,
            fetchedAt: fetchedAt.timeIntervalSince1970)
        return try JSONEncoder().encode(head) + Data("\n".utf8) + Data(ConfigObject.json(of: entries).utf8)
    }

    /// - Throws: ``ChecksummedFileFailure/corrupt`` if the payload is invalid.
    init(payload: Data) throws(ChecksummedFileFailure) {
        let parts = payload.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let head = try? JSONDecoder().decode(Head.self, from: parts[0]),
            let cursor = Cursor(head.cursor), cursor.lineage != nil, head.fetchedAt.isFinite,
            let entries = try? ConfigObject.values(in: Array(parts[1])[...])
        else { throw .corrupt }
        self.init(
            environment: head.environment, pin: head.pin, cursor: cursor, version: head.version,
            fetchedAt: Date(timeIntervalSince1970: head.fetchedAt), entries: entries)
    }
}
