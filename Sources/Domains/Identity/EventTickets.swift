internal import AlmanacCryptography
public import AlmanacEnvironments
public import AlmanacHTTP
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps
internal import Synchronization

/// The tickets of one environment. A ticket replaces the token in the address of a flag stream, because browsers can't
/// send a header with that request.
///
/// A ticket is `expiry.end.bearer.code`: the ticket's expiry, the token's expiry (both in seconds since 1970; 0 for a
/// token without an end), the token's id or the user's digest after `u-`, and an HMAC-SHA256 over these, the
/// environment's name and its lineage. It opens streams until its expiry. A stream ends when its token expires or is
/// revoked. A caller's ticket changes only every half hour, because OFREP clients leave their stream when the address
/// changes.
public final class EventTickets: Sendable {
    private let environment: EnvironmentName
    private let pool: Pool
    private let clock: ServerClock
    /// Nil until the key has been read.
    private let key = Mutex<[UInt8]?>(nil)

    /// The time for which the same ticket is issued, in seconds. It opens streams for as long again.
    public static let interval: Int64 = 1800

    /// - Parameter pool: connections to the database that stores the key.
    public init(_ environment: EnvironmentName, pool: Pool, clock: ServerClock = .system) {
        self.environment = environment
        self.pool = pool
        self.clock = clock
    }

    /// Reads the key, which may differ after a restore.
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

    /// Returns a number that changes with the address of a caller's stream; 0 if the address never changes.
    public func epoch(for caller: Caller?, isPublic: Bool) -> Int64 {
        // A page at the console's own host is identified by its cookie.
        guard !isPublic, let caller, caller.session == nil else { return 0 }
        return clock.milliseconds() / 1000 / Self.interval
    }

    /// Returns the address of a caller's flag stream; nil until the key has been read.
    ///
    /// - Parameters:
    ///   - caller: the evaluator of the flags; nil without a token.
    ///   - isPublic: true if everyone may read the environment's config.
    ///   - lineage: the lineage of the environment's history.
    ///   - base: the path prefix of the environment: `/production`, or empty if the host names the environment.
    public func address(for caller: Caller?, isPublic: Bool, lineage: String, base: String) -> EventAddress? {
        let epoch = epoch(for: caller, isPublic: isPublic)
        guard epoch > 0, let caller else { return EventAddress(requestURI: base + "/events?ofrep=true", epoch: 0) }
        guard let key = key.withLock({ $0 }) else { return nil }
        let end = caller.expiresAt.map { $0.milliseconds / 1000 } ?? 0
        let expiry = (epoch + 2) * Self.interval
        let text = "\(expiry).\(end).\(caller.tokenID ?? caller.user.map { "u-" + $0.digest } ?? "-")"
        let code = HMACSHA256.code(of: message(text, lineage), key: key)
        return EventAddress(requestURI: base + "/events?ticket=\(text).\(Base64URL.encode(code))", epoch: epoch)
    }

    /// Returns the content of a ticket. Throws if the ticket is not valid now in this environment.
    public func ticket(_ text: String, lineage: String) throws(Problem) -> EventTicket {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 200, parts.count == 4, let expiry = Int64(parts[0]), let end = Int64(parts[1]),
            let code = Base64URL.decode(String(parts[3]))
        else { throw refused("is not valid for an event stream") }
        guard let key = key.withLock({ $0 }) else {
            throw Problem(
                .databaseAway, "the key for tickets could not be read yet; try again", headers: [("Retry-After", "1")])
        }
        let signed = parts[0..<3].joined(separator: ".")
        guard HMACSHA256.isValid(code, of: message(signed, lineage), key: key) else {
            throw refused("is not valid for the present state of this environment")
        }
        let now = clock.milliseconds()
        guard expiry * 1000 > now, end == 0 || end * 1000 > now else { throw refused("has expired") }
        let (bearer, expiresAt) = (String(parts[2]), end == 0 ? nil : end * 1000)
        if bearer.hasPrefix("u-") {
            return EventTicket(tokenID: nil, personDigest: String(bearer.dropFirst(2)), expiresAt: expiresAt)
        }
        return EventTicket(tokenID: bearer == "-" ? nil : bearer, personDigest: nil, expiresAt: expiresAt)
    }

    private func message(_ text: String, _ lineage: String) -> [UInt8] {
        Array("almanac event ticket\n\(environment.text)\n\(lineage)\n\(text)".utf8)
    }

    private func refused(_ what: String) -> Problem {
        .tokenRefused("the ticket \(what); evaluate the flags again to get a new address of the stream")
    }
}

/// The address of a flag stream.
public struct EventAddress: Sendable, Equatable {
    /// The part of the URL after the origin.
    public let requestURI: String
    /// The number of the ticket's interval, which identifies responses with the same ticket; 0 without a ticket.
    public let epoch: Int64
}

/// The content of a valid ticket.
public struct EventTicket: Sendable, Equatable {
    /// The API token of the ticket's bearer, which may be revoked; nil for a user's token.
    public let tokenID: String?
    /// The digest of the ticket's bearer, who may be removed; nil for an API token.
    public let personDigest: String?
    /// The time when the stream ends, in milliseconds since 1970; nil for a token without an end.
    public let expiresAt: Int64?
}
