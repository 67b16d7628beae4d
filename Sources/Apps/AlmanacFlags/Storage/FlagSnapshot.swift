internal import AlmanacClientRuntime
internal import AlmanacRevisions
internal import Foundation

/// The server's evaluations for one context.
struct FlagSnapshot: Sendable {
    let context: FlagContext
    /// The response's `ETag`, valid for requests with the same context only.
    let etag: String?
    /// The config's cursor; nil if the server is not Almanac.
    var cursor: Cursor?
    var version: String?
    var fetchedAt: Date
    /// The response body as received.
    let body: [UInt8]
    let answer: BulkEvaluation
}

/// The file format of a snapshot: one line with the head, then the response body.
extension FlagSnapshot {
    private struct Head: Codable {
        var subject: String
        var etag: String?
        var cursor: String?
        var version: String?
        var fetchedAt: Double
    }

    /// - Parameter subject: the hash of environment, pinned version and context.
    func payload(subject: String) throws -> Data {
        let head = Head(
            subject: subject, etag: etag, cursor: cursor.map { "\($0)" }, version: version,
            fetchedAt: fetchedAt.timeIntervalSince1970)
        return try JSONEncoder().encode(head) + Data("\n".utf8) + Data(body)
    }

    /// - Throws: ``ChecksummedFileFailure/corrupt`` if the payload is invalid or belongs to another subject.
    init(payload: Data, subject: String, context: FlagContext) throws(ChecksummedFileFailure) {
        let parts = payload.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let head = try? JSONDecoder().decode(Head.self, from: parts[0]),
            head.subject == subject, head.fetchedAt.isFinite, let answer = try? BulkEvaluation(Array(parts[1]))
        else { throw .corrupt }
        self.init(
            context: context, etag: head.etag, cursor: head.cursor.flatMap { Cursor($0) }, version: head.version,
            fetchedAt: Date(timeIntervalSince1970: head.fetchedAt), body: Array(parts[1]), answer: answer)
    }
}
