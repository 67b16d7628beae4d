internal import AlmanacCryptography
internal import AlmanacHTTP
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// One environment's API tokens as a worker knows them: checked in memory, so that a check costs no database call and
/// works while the database is away.
public final class TokenStore: Sendable {
    /// The channel on which a change of the tokens is announced.
    public static let channel = "almanac_tokens"

    private let environment: String
    private let pool: Pool
    private let clock: ServerClock

    /// Invariant: `byLookup` and `byID` hold exactly the tokens of a reading, in the former under the first eight bytes
    /// of the digest, which are public enough to look up by.
    private struct Tokens {
        var byLookup: [[UInt8]: [TokenRecord]] = [:]
        var byID: [String: TokenRecord] = [:]
        var readAt: ContinuousClock.Instant?
    }
    /// Invariant: all are of the reading that began last of all that succeeded, but while that is put in place.
    private let tokens = Stripes(Tokens())
    private let unknown = Monitor(UnknownTokens())
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
        let start = clock.now()
        let records = try pool.withConnection { connection in
            var records: [TokenRecord] = []
            for row in try connection.run(TokenStatements.all) { records.append(try TokenRecord(row)) }
            return records
        }
        let read = Tokens(
            byLookup: Dictionary(grouping: records) { Array($0.digest.prefix(8)) },
            byID: Dictionary(records.map { ($0.id, $0) }) { $1 }, readAt: start)
        tokens.withEach { known in
            // One that began earlier and took longer may lack a token that is known by now.
            if let readAt = known.readAt, readAt > start { return }
            known = read
        }
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
        guard let record = find(digest) ?? findAnew({ find(digest) }) else {
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
        guard let record = known(id) ?? findAnew({ known(id) }) else { return nil }
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

    /// How long a caller waits for another's reading at most.
    private static let longestWait = Duration.seconds(1)

    /// Looks once more when the tokens have been read anew: by one thread at a time, and at most five times a second
    /// however many unknown tokens arrive.
    private func findAnew(_ find: () -> TokenRecord?) -> TokenRecord? {
        let turn = unknown.update { $0.enter(at: clock.now()) }
        guard turn != .over else { return nil }
        take(turn)
        let record = find()
        unknown.update { $0.leave(isKnown: record != nil) }
        return record
    }

    private func take(_ turn: UnknownTokens.Turn) {
        switch turn {
        case .over: break
        case .read(let pause):
            _ = unknown.wait(upTo: pause) { _ in nil as Void? }
            unknown.update { $0.begin(at: clock.now()) }
            // While the database is away the tokens known so far are all there are.
            try? refresh()
            unknown.update { $0.end() }
        case .join(let number):
            let next = unknown.wait(upTo: Self.longestWait) { unknown in
                unknown.isSettled(number) ? unknown.turn(for: number, at: clock.now()) : nil
            }
            if let next { take(next) }
        }
    }
}
