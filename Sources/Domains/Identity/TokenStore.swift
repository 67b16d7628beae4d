internal import AlmanacCryptography
public import AlmanacHTTP
internal import AlmanacPOSIX
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
    private let users: UserCaller?

    /// Who a user's access token speaks for, by its `scope` claim; refuses a token that isn't valid.
    public typealias UserCaller = @Sendable (_ token: String) throws(Problem) -> Caller

    /// Invariant: `byLookup` holds exactly the tokens of the last successful load, each under the first eight bytes of
    /// its digest, which are public enough to look up by; `used` holds uses not yet written down, by token id.
    private struct State {
        var byLookup: [[UInt8]: [TokenRecord]] = [:]
        var loadedAt: ContinuousClock.Instant?
        var used: [String: Int64] = [:]
    }
    private let state = Mutex(State())

    /// - Parameter users: asked about every token that is not one of Almanac's own; without it they are refused.
    public init(environment: String, pool: Pool, users: UserCaller? = nil) {
        self.environment = environment
        self.pool = pool
        self.users = users
    }

    /// Loads all tokens anew.
    public func refresh() throws {
        let records = try pool.withConnection { connection in
            var records: [TokenRecord] = []
            for row in try connection.run(TokenStatements.all) { records.append(try TokenRecord(row)) }
            return records
        }
        let byLookup = Dictionary(grouping: records) { Array($0.digest.prefix(8)) }
        state.withLock {
            $0.byLookup = byLookup
            $0.loadedAt = .now
        }
    }

    /// Writes down when tokens were last used.
    public func recordUses() throws {
        let used = state.withLock { state in
            defer { state.used = [:] }
            return state.used
        }
        guard !used.isEmpty else { return }
        do {
            try pool.withConnection { connection in
                _ = try connection.run(
                    TokenStatements.used, .textArray(Array(used.keys)),
                    .timestampArray(used.values.map { Timestamp(milliseconds: $0) }))
            }
        } catch {
            state.withLock { $0.used.merge(used) { max($0, $1) } }
            throw error
        }
    }

    /// Who is asking; nil when the request carries no `Authorization` header.
    ///
    /// A header that is malformed or holds a token which isn't valid here is refused (401, RFC 6750 §3).
    public func caller(of request: Request) throws(Problem) -> Caller? {
        guard let authorization = request.headers["Authorization"] else { return nil }
        return try caller(authorization: authorization)
    }

    /// Who is asking, by the value of an `Authorization` header.
    public func caller(authorization: String) throws(Problem) -> Caller {
        let parts = authorization.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw Self.tokenNeeded
        }
        if let users, !parts[1].hasPrefix("almanac_") { return try users(String(parts[1])) }
        guard let token = APIToken(parts[1], environment: environment) else {
            throw Self.refusal("the token is not one of this environment", error: "invalid_token")
        }
        let digest = token.digest
        guard let record = find(digest) ?? findAfterRefresh(digest) else {
            throw Self.refusal("the token is not known here, or has been revoked", error: "invalid_token")
        }
        let now = WallClock.milliseconds
        guard record.isValid(at: Timestamp(milliseconds: now)) else {
            throw Self.refusal("the token has expired or has been revoked", error: "invalid_token")
        }
        state.withLock { $0.used[record.id] = now }
        return Caller(
            name: record.label, scopes: record.scopes, tokenID: record.id, expiresAt: record.expiresAt)
    }

    /// Whether an API token that was accepted before would be accepted now.
    ///
    /// - Parameter id: names the token.
    public func isValid(_ id: String) -> Bool {
        let now = Timestamp(milliseconds: WallClock.milliseconds)
        return state.withLock { $0.byLookup.values }.joined().first { $0.id == id }?.isValid(at: now) ?? false
    }

    /// The refusal of a request that needs a token and has none.
    public static var tokenNeeded: Problem {
        Problem(
            .tokenNeeded, "send a token as: Authorization: Bearer almanac_…",
            headers: [("WWW-Authenticate", "Bearer realm=\"almanac\"")])
    }

    private static func refusal(_ detail: String, error: String) -> Problem {
        Problem(
            .tokenRefused, detail, headers: [("WWW-Authenticate", "Bearer realm=\"almanac\", error=\"\(error)\"")])
    }

    private func find(_ digest: [UInt8]) -> TokenRecord? {
        let candidates = state.withLock { $0.byLookup[Array(digest.prefix(8))] } ?? []
        return candidates.first { constantTimeEquals($0.digest, digest) }
    }

    /// Looks again after loading the tokens anew, at most five times a second however many unknown tokens arrive.
    private func findAfterRefresh(_ digest: [UInt8]) -> TokenRecord? {
        let isDue = state.withLock { state in
            let now = ContinuousClock.now
            if let loadedAt = state.loadedAt, now - loadedAt < .milliseconds(200) { return false }
            state.loadedAt = now
            return true
        }
        // While the database is away the tokens known so far are all there are.
        guard isDue, (try? refresh()) != nil else { return nil }
        return find(digest)
    }
}
