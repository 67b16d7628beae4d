internal import AlmanacCryptography
public import AlmanacEnvironments
public import AlmanacHTTP
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps
internal import Synchronization

/// The tickets of one environment: each stands in the address of a stream about flags, in place of the token that its
/// reader can't send, since browsers send no header with one.
///
/// A ticket is `expiry.end.bearer.code`: two times in seconds since 1970, the second 0 where there is none, who got it,
/// and an HMAC-SHA256 over these, the environment's name and its lineage. It opens streams until its expiry; a stream
/// ends when what its ticket was given for ends. Nobody gets another ticket within half an hour, since OFREP clients
/// that are told another address leave their stream.
public final class EventTickets: Sendable {
    private let environment: EnvironmentName
    private let pool: Pool
    private let clock: ServerClock
    /// Nil until it has been read.
    private let key = Mutex<[UInt8]?>(nil)

    /// How long one ticket is given out, in seconds; it then opens streams for as long again.
    public static let interval: Int64 = 1800

    /// - Parameter pool: connections to the database that has the key.
    public init(_ environment: EnvironmentName, pool: Pool, clock: ServerClock = .system) {
        self.environment = environment
        self.pool = pool
        self.clock = clock
    }

    /// Reads the key, which may be another one after a restore.
    public func refresh() throws {
        let read = try pool.withConnection { connection in
            try connection.run(Self.read).single("event_ticket_keys").bytes("key")
        }
        key.withLock { $0 = read }
    }

    private static let read = Statement(
        """
        -- name: event_ticket_key
        select key from event_ticket_keys
        """)

    /// What tells the addresses that a caller is given one after the other apart: 0 where there is but one.
    public func epoch(for caller: Caller?, isPublic: Bool) -> Int64 {
        // A page at the console's own host is known by its cookie.
        guard !isPublic, let caller, caller.session == nil else { return 0 }
        return clock.milliseconds() / 1000 / Self.interval
    }

    /// Where a caller finds the stream about flags; nil while the key isn't known.
    ///
    /// - Parameters:
    ///   - caller: whoever evaluates flags; nil without a token.
    ///   - isPublic: whether everybody may read the environment's config.
    ///   - lineage: the history's.
    ///   - base: what stands in front of the environment's paths: `/production`, or nothing where the host names it.
    public func address(for caller: Caller?, isPublic: Bool, lineage: String, base: String) -> EventAddress? {
        let epoch = epoch(for: caller, isPublic: isPublic)
        guard epoch > 0, let caller else { return EventAddress(requestURI: base + "/events?ofrep=true", epoch: 0) }
        guard let key = key.withLock({ $0 }) else { return nil }
        let end = caller.expiresAt.map { $0.milliseconds / 1000 } ?? 0
        let expiry = (epoch + 2) * Self.interval
        let text = "\(expiry).\(end).\(caller.tokenID ?? "-")"
        let code = HMACSHA256.code(of: message(text, lineage), key: key)
        return EventAddress(requestURI: base + "/events?ticket=\(text).\(Base64URL.encode(code))", epoch: epoch)
    }

    /// What a ticket stands for; refuses one that isn't good here and now.
    public func ticket(_ text: String, lineage: String) throws(Problem) -> EventTicket {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 200, parts.count == 4, let expiry = Int64(parts[0]), let end = Int64(parts[1]),
            let code = Base64URL.decode(String(parts[3]))
        else { throw refused("is no ticket of an event stream") }
        guard let key = key.withLock({ $0 }) else {
            throw Problem(
                .databaseAway, "the key of tickets could not be read yet; try again", headers: [("Retry-After", "1")])
        }
        let signed = parts[0..<3].joined(separator: ".")
        guard HMACSHA256.isValid(code, of: message(signed, lineage), key: key) else {
            throw refused("is not one of this environment as it is now")
        }
        let now = clock.milliseconds()
        guard expiry * 1000 > now, end == 0 || end * 1000 > now else { throw refused("has expired") }
        return EventTicket(
            tokenID: parts[2] == "-" ? nil : String(parts[2]), expiresAt: end == 0 ? nil : end * 1000)
    }

    private func message(_ text: String, _ lineage: String) -> [UInt8] {
        Array("almanac event ticket\n\(environment.text)\n\(lineage)\n\(text)".utf8)
    }

    private func refused(_ what: String) -> Problem {
        .tokenRefused("the ticket \(what): evaluate the flags again, whose answer has another address of the stream")
    }
}

/// Where a stream about flags is found.
public struct EventAddress: Sendable, Equatable {
    /// What follows the origin.
    public let requestURI: String
    /// Goes up when a new ticket is given out, so that answers which hold one are told apart; 0 where there is none.
    public let epoch: Int64
}

/// What a good ticket says of its bearer.
public struct EventTicket: Sendable, Equatable {
    /// The API token that it was given for, which may be revoked; nil for a user's token.
    public let tokenID: String?
    /// When the stream ends, in milliseconds since 1970; nil for a token without an end.
    public let expiresAt: Int64?
}
