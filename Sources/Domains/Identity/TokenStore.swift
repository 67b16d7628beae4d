internal import AlmanacCryptography
internal import AlmanacHTTP
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// A cache of one environment's API tokens in a worker. A check needs no database query, so it works while the database
/// is unreachable.
public final class TokenStore: Sendable {
    /// The channel that announces changes of tokens.
    public static let channel = "almanac_tokens"

    private let environment: String
    private let pool: Pool
    private let clock: ServerClock

    /// Invariant: `byLookup` and `byID` contain exactly the tokens of one read. The key of `byLookup` is the first
    /// eight bytes of the digest; comparing them in variable time is safe because eight bytes don't reveal a token.
    ///
    /// `byText` contains tokens of that read by their own texts, so that a token is hashed only at its first use.
    private struct Tokens {
        var byLookup: [[UInt8]: [TokenRecord]] = [:]
        var byID: [String: TokenRecord] = [:]
        var byText: [SecretText: UsedToken] = [:]
        var ownersDigest = ""
        var times = ReadTimes()
    }
    /// A token with its bearer. It is a class, so that a request copies one reference.
    private final class UsedToken: Sendable {
        let record: TokenRecord
        let bearer: Caller

        init(_ record: TokenRecord) {
            self.record = record
            bearer = Caller(
                name: record.label, scopes: record.scopes, tokenID: record.id, expiresAt: record.expiresAt,
                owner: record.presentOwner)
        }
    }

    /// Invariant: all stripes hold the successful read that began last, except while it is put in place.
    private let tokens = StripedLock(Tokens())
    private let readSchedule = Monitor(TokenReadSchedule())
    private let uses = LastUses<String, Timestamp>()

    /// - Parameter clock: decides which tokens have expired, and dates their uses.
    public init(environment: String, pool: Pool, clock: ServerClock = .system) {
        self.environment = environment
        self.pool = pool
        self.clock = clock
    }

    /// The time used to decide whether a token has expired.
    var now: Timestamp { Timestamp(milliseconds: clock.milliseconds()) }

    /// True if the last read failed, so that a change may be missing until the next one succeeds.
    public var isStale: Bool { tokens.withAnyLock { $0.times.isStale } }

    /// Reads all tokens again.
    public func refresh() throws {
        let start = clock.now()
        do { try read(at: start) } catch {
            tokens.withEachLock { $0.times.failed(start) }
            throw error
        }
    }

    private func read(at start: ContinuousClock.Instant) throws {
        let records = try pool.withConnection { connection in
            var records: [TokenRecord] = []
            for row in try connection.run(TokenStatements.all) { records.append(try TokenRecord(row)) }
            return records
        }
        let read = Tokens(
            byLookup: Dictionary(grouping: records) { Array($0.digest.prefix(8)) },
            byID: Dictionary(records.map { ($0.id, $0) }) { $1 },
            ownersDigest: PeopleStore.digest(
                of: records.flatMap { [$0.id, $0.owner?.user.key ?? "", $0.owner?.name ?? ""] }))
        tokens.withEachLock { known in
            var times = known.times
            // A read that began earlier and took longer may lack a new token.
            guard times.succeeded(start) else { return }
            known = read
            known.times = times
        }
    }

    /// Writes the times of the latest uses to the database.
    public func recordUses() throws {
        try uses.record { used in
            try pool.withConnection { connection in
                _ = try connection.run(
                    TokenStatements.used, .textArray(Array(used.keys)), .timestampArray(Array(used.values)))
            }
        }
    }

    /// Returns the bearer of an API token. Throws if the token isn't valid in this environment.
    func caller(_ secret: SecretText) throws(Problem) -> Caller {
        let known = tokens.withAnyLock { $0.byText[secret] }
        let token = if let known { known } else { try find(secret) }
        let now = now
        guard token.record.isValid(at: now) else {
            throw .tokenRefused("the token has expired or has been revoked")
        }
        uses.note(token.record.id, at: now)
        return token.bearer
    }

    /// Returns true if an API token is accepted now.
    ///
    /// - Parameter id: the id of the token.
    public func isValid(_ id: String) -> Bool { known(id)?.isValid(at: now) ?? false }

    /// Returns the API token with an id and records its use; nil if it is no longer valid.
    func use(_ id: String) -> TokenRecord? {
        // Another process may have just created the token.
        guard let record = known(id) ?? findAfterRefresh({ known(id) }) else { return nil }
        let now = now
        guard record.isValid(at: now) else { return nil }
        uses.note(id, at: now)
        return record
    }

    /// A hash of all tokens with their owners.
    var ownersDigest: String { tokens.withAnyLock { $0.ownersDigest } }

    /// Returns the owner of an API token, valid or not; nil for a service account.
    func owner(ofTokenID id: String) -> TokenOwner? { known(id)?.owner }

    /// Returns the owner of an API token; nil for a service account, and if the owner was removed.
    func presentOwner(ofTokenID id: String) -> VerifiedUser? {
        // Another process may have just set the owner.
        known(id)?.presentOwner ?? findAfterRefresh { known(id).flatMap { $0.owner == nil ? nil : $0 } }?.presentOwner
    }

    private func known(_ id: String) -> TokenRecord? { tokens.withAnyLock { $0.byID[id] } }

    /// Returns a token that was not used since the last read.
    private func find(_ secret: SecretText) throws(Problem) -> UsedToken {
        guard let token = APIToken(secret.text, environment: environment) else {
            throw .tokenRefused("the token belongs to another environment")
        }
        let digest = token.digest
        func find() -> UsedToken? {
            tokens.withAnyLock { tokens in
                let candidates = tokens.byLookup[Array(digest.prefix(8))] ?? []
                let token = candidates.first { constantTimeEquals($0.digest, digest) }.map { UsedToken($0) }
                // Under the same lock as the search, because a later read may lack the token.
                tokens.byText[secret] = token
                return token
            }
        }
        guard let token = find() ?? findAfterRefresh(find) else {
            throw .tokenRefused("the token is unknown or has been revoked")
        }
        return token
    }

    /// The maximum wait for another caller's read.
    private static let maxReadWait = Duration.seconds(1)

    /// Looks a token up again after a new read, made by one thread at a time and at most five times a second.
    private func findAfterRefresh<Found>(_ find: () -> Found?) -> Found? {
        let step = readSchedule.update { $0.enter(at: clock.now()) }
        guard step != .stop else { return nil }
        perform(step)
        let found = find()
        readSchedule.update { $0.leave(isKnown: found != nil) }
        return found
    }

    private func perform(_ step: TokenReadSchedule.NextStep) {
        switch step {
        case .stop: break
        case .read(let pause):
            _ = readSchedule.wait(upTo: pause) { _ in nil as Void? }
            readSchedule.update { $0.begin(at: clock.now()) }
            // While the database is unreachable, the cached tokens are used.
            try? refresh()
            readSchedule.update { $0.end() }
        case .join(let number):
            let next = readSchedule.wait(upTo: Self.maxReadWait) { schedule in
                schedule.isSettled(number) ? schedule.nextStep(for: number, at: clock.now()) : nil
            }
            if let next { perform(next) }
        }
    }
}
