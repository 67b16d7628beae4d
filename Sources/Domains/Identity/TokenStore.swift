internal import AlmanacCryptography
internal import AlmanacHTTP
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps
internal import Synchronization

/// One environment's API tokens as a worker knows them: checked in memory, so that a check costs no database call and
/// works while the database is away.
public final class TokenStore: Sendable {
    /// The channel on which a change of the tokens is announced.
    public static let channel = "almanac_tokens"

    private let environment: String
    private let pool: Pool
    private let clock: ServerClock

    /// Invariant: `byLookup` and `byID` hold exactly the tokens of a successful load, in the former under the first eight
    /// bytes of the digest, which are public enough to look up by.
    private struct Tokens {
        var byLookup: [[UInt8]: [TokenRecord]] = [:]
        var byID: [String: TokenRecord] = [:]
    }
    /// Invariant: all are those of the last load, but while another one puts its own in place.
    private let tokens = Stripes(Tokens())

    private struct State {
        var loadedAt: ContinuousClock.Instant?
        /// A caller with an unknown token is having the tokens loaded; at most one at a time does.
        var isLooking = false
    }
    private let state = Mutex(State())
    private let uses = LastUses<String, Timestamp>()

    /// - Parameter clock: tells which tokens have expired, and when one was used.
    public init(environment: String, pool: Pool, clock: ServerClock = .system) {
        self.environment = environment
        self.pool = pool
        self.clock = clock
    }

    /// The time by which tokens expire.
    var now: Timestamp { Timestamp(milliseconds: clock.milliseconds()) }

    /// Loads all tokens anew.
    public func refresh() throws {
        let records = try pool.withConnection { connection in
            var records: [TokenRecord] = []
            for row in try connection.run(TokenStatements.all) { records.append(try TokenRecord(row)) }
            return records
        }
        let loaded = Tokens(
            byLookup: Dictionary(grouping: records) { Array($0.digest.prefix(8)) },
            byID: Dictionary(records.map { ($0.id, $0) }) { $1 })
        tokens.withEach { $0 = loaded }
        state.withLock { $0.loadedAt = clock.now() }
    }

    /// Writes down when tokens were last used.
    public func recordUses() throws {
        try uses.record { used in
            try pool.withConnection { connection in
                _ = try connection.run(
                    TokenStatements.used, .textArray(Array(used.keys)), .timestampArray(Array(used.values)))
            }
        }
    }

    /// The bearer of an API token; refuses one that isn't valid here.
    func caller(_ text: String) throws(Problem) -> Caller {
        guard let token = APIToken(text, environment: environment) else {
            throw .tokenRefused("the token is not one of this environment")
        }
        let digest = token.digest
        guard let record = find(digest) ?? findAfterRefresh(digest) else {
            throw .tokenRefused("the token is not known here, or has been revoked")
        }
        let now = now
        guard record.isValid(at: now) else {
            throw .tokenRefused("the token has expired or has been revoked")
        }
        uses.note(record.id, at: now)
        return Caller(
            name: record.label, scopes: record.scopes, tokenID: record.id, expiresAt: record.expiresAt)
    }

    /// Whether an API token that was accepted before would be accepted now.
    ///
    /// - Parameter id: names the token.
    public func isValid(_ id: String) -> Bool { known(id)?.isValid(at: now) ?? false }

    /// The API token with an id, whose use is noted; nil when it is not good any more.
    func use(_ id: String) -> TokenRecord? {
        // One that another process has just made.
        guard let record = known(id) ?? (refreshIfDue() ? known(id) : nil) else { return nil }
        let now = now
        guard record.isValid(at: now) else { return nil }
        uses.note(id, at: now)
        return record
    }

    private func known(_ id: String) -> TokenRecord? { tokens.withAny { $0.byID[id] } }

    private func find(_ digest: [UInt8]) -> TokenRecord? {
        let candidates = tokens.withAny { $0.byLookup[Array(digest.prefix(8))] } ?? []
        return candidates.first { constantTimeEquals($0.digest, digest) }
    }

    private func findAfterRefresh(_ digest: [UInt8]) -> TokenRecord? { refreshIfDue() ? find(digest) : nil }

    /// Loads the tokens anew, one thread at a time and at most five times a second however many unknown tokens arrive.
    ///
    /// - Returns: whether they were loaded.
    private func refreshIfDue() -> Bool {
        let isDue = state.withLock { state in
            let now = clock.now()
            if let loadedAt = state.loadedAt, now - loadedAt < .milliseconds(200) { return false }
            if state.isLooking { return false }
            state.loadedAt = now
            state.isLooking = true
            return true
        }
        defer { if isDue { state.withLock { $0.isLooking = false } } }
        // While the database is away the tokens known so far are all there are.
        return isDue && (try? refresh()) != nil
    }
}
