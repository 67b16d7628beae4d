internal import AlmanacCryptography
public import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacHTTPSClient
internal import AlmanacOpenIDConnect
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps
internal import Synchronization

/// A cache of one environment's people, for names in the history and for the refusal of removed people. A check needs
/// no database query.
public final class PeopleStore: Sendable {
    /// The channel that announces changes of people.
    public static let channel = "almanac_people"

    private let issuer: String?
    private let pool: Pool
    private let clock: ServerClock

    /// Invariant: all members contain exactly the people of one read.
    private struct People {
        var byUser: [VerifiedUser: Person] = [:]
        /// The people by subject alone, as users without an issuer. The environment's issuer has precedence.
        var bySubject: [VerifiedUser: Person] = [:]
        var removed: Set<VerifiedUser> = []
        var removedDigests: Set<String> = []
        var namesDigest = ""
        var times = ReadTimes()
    }
    /// Invariant: all stripes hold the successful read that began last, except while it is put in place.
    private let people = StripedLock(People())
    /// False if nobody is removed, which is usual, so that a request needs no lock.
    private let hasRemoved = Atomic(false)
    private let uses = LastUses<VerifiedUser, Use>()

    /// The use of an access token or a session by a person.
    private struct Use: Comparable {
        let time: Timestamp
        let name: String?
        let scopes: [Scope]
        let source: Person.Source

        static func < (left: Use, right: Use) -> Bool { left.time < right.time }
        static func == (left: Use, right: Use) -> Bool { left.time == right.time }
    }

    public init(_ settings: EnvironmentSettings, pool: Pool, clock: ServerClock = .system) {
        issuer = settings.issuer
        self.pool = pool
        self.clock = clock
    }

    /// True if the last read failed, so that a change may be missing until the next one succeeds.
    public var isStale: Bool { people.withAnyLock { $0.times.isStale } }

    /// Reads all people again.
    public func refresh() throws {
        let start = clock.now()
        do { try read(at: start) } catch {
            people.withEachLock { $0.times.failed(start) }
            throw error
        }
    }

    private func read(at start: ContinuousClock.Instant) throws {
        let read = try pool.withConnection { connection in
            var read: [Person] = []
            for row in try connection.run(PeopleStatements.all) { read.append(try Person(row)) }
            return read
        }
        let bySubject = Dictionary(grouping: read) { VerifiedUser(issuer: "", subject: $0.user.subject) }
        let removed = read.filter { $0.removedAt != nil }.map(\.user)
        let new = People(
            byUser: Dictionary(read.map { ($0.user, $0) }) { first, _ in first },
            bySubject: bySubject.compactMapValues { people in
                people.first { issuer?.hasSameBytes(as: $0.user.issuer) == true } ?? people.first
            },
            removed: Set(removed), removedDigests: Set(removed.map(\.digest)),
            namesDigest: Self.digest(of: read.flatMap { [$0.user.key, $0.name ?? ""] }))
        people.withEachLock { known in
            var times = known.times
            // A read that began earlier and took longer may lack a new removal.
            guard times.succeeded(start) else { return }
            known = new
            known.times = times
            hasRemoved.store(!new.removed.isEmpty, ordering: .releasing)
        }
    }

    /// The digests of the removed people, see ``VerifiedUser/digest``.
    public var removedDigests: Set<String> { people.withAnyLock { $0.removedDigests } }

    /// A hash of all people and their names.
    var namesDigest: String { people.withAnyLock { $0.namesDigest } }

    /// Returns a short hash of some texts, for entity tags.
    static func digest(of texts: [String]) -> String {
        String(Base64URL.encode(SHA256.digest(Array(texts.joined(separator: "\0").utf8))).prefix(8))
    }

    /// Throws if a user was removed.
    func check(_ user: VerifiedUser) throws(Problem) {
        guard hasRemoved.load(ordering: .acquiring), people.withAnyLock({ $0.removed.contains(user) }) else { return }
        throw .personRemoved
    }

    /// Returns the name of the person with a subject; nil if no name is known.
    func name(ofSubject subject: String) -> String? {
        let key = VerifiedUser(issuer: "", subject: subject)
        return people.withAnyLock { $0.bySubject[key]?.name }
    }

    /// Returns a person who is in the cache.
    func cachedPerson(_ user: VerifiedUser) -> Person? { people.withAnyLock { $0.byUser[user] } }

    /// Returns a person. Reads the people again if the person is not known yet, because of a first use.
    func person(_ user: VerifiedUser) -> Person? {
        if let person = cachedPerson(user) { return person }
        // Without the database, the person stays unknown.
        try? recordUses()
        try? refresh()
        return cachedPerson(user)
    }

    /// Notes that a person uses an access token or a session with scopes.
    ///
    /// - Parameter source: the source of the scopes; a person by invitation keeps the invitation's.
    func noteUse(by user: VerifiedUser, name: String? = nil, scopes: [Scope], source: Person.Source = .claim) {
        let now = Timestamp(milliseconds: clock.milliseconds())
        uses.note(user, at: Use(time: now, name: name, scopes: scopes, source: source))
    }

    /// Writes the latest uses to the database.
    public func recordUses() throws {
        try uses.record { used in
            let used = Array(used)
            try pool.withConnection { connection in
                _ = try connection.run(
                    PeopleStatements.see, .textArray(used.map(\.key.issuer)), .textArray(used.map(\.key.subject)),
                    .textArray(used.map(\.value.name)),
                    .textArray(used.map { $0.value.scopes.map(\.rawValue).joined(separator: " ") }),
                    .textArray(used.map(\.value.source.rawValue)), .timestampArray(used.map(\.value.time)))
            }
        }
    }
}

extension EnvironmentSettings {
    /// The issuer of the environment's users; nil if there are none.
    public var issuer: String? {
        switch identity {
        case nil: nil
        case .provider(let issuer, _, _): issuer.text
        case .development: DevelopmentIssuer.name(environment: name.text)
        }
    }

    /// The issuer of owners of tokens who are recorded on the host.
    public var ownerIssuer: String { issuer ?? "host" }
}

extension Problem {
    /// Returns the problem of a person who was removed from the environment.
    static var personRemoved: Problem {
        Problem(.personRemoved, "an administrator removed you from this environment; ask one to admit you again")
    }
}
