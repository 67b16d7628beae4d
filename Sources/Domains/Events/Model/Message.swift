internal import AlmanacJSON
internal import AlmanacRevisions

/// An event: a JSON object with a `type`, sent as a `message` of Server-Sent Events (HTML standard §9.2).
struct Message: Sendable, Equatable {
    let type: String
    /// The object's JSON, in one line.
    let data: [UInt8]

    /// - Parameter members: Writes the members after the `type`.
    init(_ type: String, _ members: (inout JSONWriter) -> Void = { _ in }) {
        self.type = type
        data = JSONWriter.object { writer in
            writer.member("type", type)
            members(&writer)
        }
    }

    /// Returns the event's bytes in the stream.
    ///
    /// - Parameter id: The new id of the reader; nil keeps the old id.
    func bytes(id: EventID?) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 96)
        if let id { bytes += "id: \(id)\n".utf8 }
        bytes += "event: message\ndata: ".utf8
        bytes += data
        bytes += "\n\n".utf8
        return bytes
    }
}

/// A reader's positions in the histories, sent as the `id` of an event: `config=43.k3f9,notes=18.k3f9`.
struct EventID: Hashable, Sendable, CustomStringConvertible {
    var config: Cursor?
    var notes: Cursor?

    init(config: Cursor? = nil, notes: Cursor? = nil) {
        self.config = config
        self.notes = notes
    }

    /// Parses the text of `description`: one position or both, each with a lineage.
    init?(_ text: String) {
        guard text.utf8.count <= 128 else { return nil }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count == 2, let cursor = Cursor(sides[1]), cursor.lineage != nil else { return nil }
            switch sides[0] {
            case "config" where config == nil: config = cursor
            case "notes" where notes == nil: notes = cursor
            default: return nil
            }
        }
    }

    var description: String {
        [config.map { "config=\($0)" }, notes.map { "notes=\($0)" }].compactMap(\.self).joined(separator: ",")
    }
}

/// The events about the stream itself.
extension Message {
    /// The reason why the server closes a stream.
    enum CloseReason: String {
        /// The token has expired. The client reconnects with a new token.
        case tokenExpired = "token-expired"
        case tokenRevoked = "token-revoked"
        case personRemoved = "person-removed"
        case accountErased = "account-erased"
        /// The database was restored from a backup. The client reconnects and resyncs.
        case historyReplaced = "history-replaced"
        /// This process is shutting down. The client reconnects to another process.
        case restarting
    }

    /// The interval between pings of a stream, in seconds.
    static let pingInterval = 20

    /// - Parameters:
    ///   - newest: The newest revisions, which are ahead of the event's `id` if the reader resumes.
    ///   - version: The newest version of the config; nil if the reader may not see the config.
    ///   - tokenExpiresIn: The remaining lifetime in seconds; nil without a token that expires.
    static func hello(newest: EventID, version: String?, tokenExpiresIn: Int64?) -> Message {
        Message("hello") { writer in
            writer.cursors(newest)
            if let version, newest.config != nil { writer.member("version", version) }
            writer.member("pingSeconds", Int64(pingInterval))
            if let tokenExpiresIn { writer.member("tokenExpiresIn", tokenExpiresIn) }
        }
    }

    static func ping(at position: EventID, tokenExpiresIn: Int64?) -> Message {
        Message("ping") { writer in
            writer.cursors(position)
            if let tokenExpiresIn { writer.member("tokenExpiresIn", tokenExpiresIn) }
        }
    }

    /// Returns the event of an attachment whose file or preview was stored, or that was removed.
    static func attachment(_ id: String, revision: Int64, isRemoved: Bool) -> Message {
        Message(isRemoved ? "attachmentRemoved" : "attachmentStored") { writer in
            writer.member("id", id)
            writer.member("revision", revision)
        }
    }

    /// Returns the event of a proposal that changed, also by a review. It has no id, because nobody resumes by it.
    static func proposalChanged(_ number: Int64) -> Message {
        Message("proposalChanged") { $0.member("number", number) }
    }

    /// Returns the event that makes a reader reload everything, because too many changes were missed.
    static func resync(at position: EventID) -> Message { Message("resync") { $0.cursors(position) } }

    /// Returns the last event of a stream that the server closes.
    ///
    /// - Parameter spreadMs: The time over which readers should spread their reconnects, in milliseconds.
    static func bye(_ reason: CloseReason, spreadMs: Int) -> Message {
        Message("bye") { writer in
            writer.member("reason", reason.rawValue)
            writer.member("spreadMs", Int64(spreadMs))
        }
    }
}

extension JSONWriter {
    fileprivate mutating func cursors(_ position: EventID) {
        if let config = position.config { member("config", "\(config)") }
        if let notes = position.notes { member("notes", "\(notes)") }
    }
}
