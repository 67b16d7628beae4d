internal import AlmanacJSON

/// The events about the stream itself.
extension Message {
    /// Why the server ends a stream.
    enum Farewell: String {
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
    ///   - newest: where the histories are now, which is ahead of the event's `id` when the reader resumes.
    ///   - version: the newest of the config; nil for who may not read it.
    ///   - tokenExpiresIn: in seconds; nil for a token without an end, or none.
    static func hello(newest: EventID, version: String?, tokenExpiresIn: Int64?) -> Message {
        Message("hello") { writer in
            writer.cursors(newest)
            if let version, newest.config != nil { writer.member("version", version) }
            writer.member("pingSeconds", Int64(pingInterval))
            if let tokenExpiresIn { writer.member("tokenExpiresIn", tokenExpiresIn) }
        }
    }

    static func ping(at place: EventID, tokenExpiresIn: Int64?) -> Message {
        Message("ping") { writer in
            writer.cursors(place)
            if let tokenExpiresIn { writer.member("tokenExpiresIn", tokenExpiresIn) }
        }
    }

    /// The reader has missed more than can be told: it reads everything anew.
    static func resync(at place: EventID) -> Message {
        Message("resync") { $0.cursors(place) }
    }

    /// - Parameter spreadMs: over which time the readers should come back, in milliseconds.
    static func bye(_ reason: Farewell, spreadMs: Int) -> Message {
        Message("bye") { writer in
            writer.member("reason", reason.rawValue)
            writer.member("spreadMs", Int64(spreadMs))
        }
    }
}

extension JSONWriter {
    fileprivate mutating func cursors(_ place: EventID) {
        if let config = place.config { member("config", "\(config)") }
        if let notes = place.notes { member("notes", "\(notes)") }
    }
}
