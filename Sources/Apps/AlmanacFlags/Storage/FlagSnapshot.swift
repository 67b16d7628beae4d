internal import AlmanacClientRuntime
internal import AlmanacRevisions
internal import Foundation

/// What the server has said for one context.
struct FlagSnapshot: Sendable {
    let context: FlagContext
    /// Good for requests with the same context only.
    let etag: String?
    /// Nil where the server is of another make.
    var cursor: Cursor?
    var version: String?
    var fetchedAt: Date
    /// The response as it came.
    let body: [UInt8]
    let answer: BulkAnswer
}

/// The form of a snapshot in its file: a line with the head, and the response as it came.
extension FlagSnapshot {
    private struct Head: Codable {
        var subject: String
        var etag: String?
        var cursor: String?
        var version: String?
        var fetchedAt: Double
    }

    /// - Parameter subject: the hash of what the evaluations are for.
    func payload(subject: String) throws -> Data {
        let head = Head(
            subject: subject, etag: etag, cursor: cursor.map { "\($0)" }, version: version,
            fetchedAt: fetchedAt.timeIntervalSince1970)
        return try JSONEncoder().encode(head) + Data("\n".utf8) + Data(body)
    }

    /// - Throws: ``SealedFileFailure/corrupt`` when it does not have that form, or is for something else.
    init(payload: Data, subject: String, context: FlagContext) throws(SealedFileFailure) {
        let parts = payload.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let head = try? JSONDecoder().decode(Head.self, from: parts[0]),
            head.subject == subject, head.fetchedAt.isFinite, let answer = try? BulkAnswer(Array(parts[1]))
        else { throw .corrupt }
        self.init(
            context: context, etag: head.etag, cursor: head.cursor.flatMap { Cursor($0) }, version: head.version,
            fetchedAt: Date(timeIntervalSince1970: head.fetchedAt), body: Array(parts[1]), answer: answer)
    }
}
