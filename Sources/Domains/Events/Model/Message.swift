internal import AlmanacJSON
internal import AlmanacRevisions

/// One event: a JSON object with a `type`, sent as a `message` of Server-Sent Events (HTML standard §9.2).
struct Message: Sendable, Equatable {
    let type: String
    /// The object's bytes, in one line.
    let data: [UInt8]

    /// - Parameter members: writes the members behind the `type`.
    init(_ type: String, _ members: (inout JSONWriter) -> Void = { _ in }) {
        self.type = type
        data = JSONWriter.object { writer in
            writer.member("type", type)
            members(&writer)
        }
    }

    /// The event as it stands in the stream.
    ///
    /// - Parameter id: nil leaves the reader's own as it was.
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

/// The positions of a reader in the histories that it follows: the `id` of an event. Written
/// `config=43.k3f9,notes=18.k3f9`.
struct EventID: Hashable, Sendable, CustomStringConvertible {
    var config: Cursor?
    var notes: Cursor?

    init(config: Cursor? = nil, notes: Cursor? = nil) {
        self.config = config
        self.notes = notes
    }

    /// Reads what `description` writes: one of the two or both, each with its lineage.
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
    /// Why the server closes a stream.
    enum CloseReason: String {
        /// The token has expired: come back with a new one.
        case tokenExpired = "token-expired"
        /// The API token was revoked.
        case tokenRevoked = "token-revoked"
        /// The account was erased.
        case accountErased = "account-erased"
        /// The database was restored from a backup: come back, and read everything anew.
        case historyReplaced = "history-replaced"
        /// This process ends: come back, and another one answers.
        case restarting
    }

    /// How often a stream shows that it is alive, in seconds.
    static let pingInterval = 20

    /// - Parameters:
    ///   - newest: the newest revisions, which are ahead of the event's `id` when the reader resumes.
    ///   - version: the newest of the config; nil where the reader may not see the config.
    ///   - tokenExpiresIn: in seconds; nil for a token without an end, or none.
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

    /// The reader has missed more than can be sent: it reads everything anew.
    static func resync(at position: EventID) -> Message {
        Message("resync") { $0.cursors(position) }
    }

    /// The last event of a stream that the server closes.
    ///
    /// - Parameter spreadMs: over which time the readers should come back, in milliseconds.
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
