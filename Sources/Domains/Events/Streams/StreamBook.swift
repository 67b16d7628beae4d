internal import AlmanacIdentity
internal import AlmanacRevisions

/// What is known of all open streams of one environment: who follows what, and how far each has been told.
///
/// A pure value: it decides what is to be read and who is to be told of it, and leaves reading and sending to others.
/// Every stream has a place in each history that it follows. What lies between there and the newest revision is read
/// once for all that stand at the same place, whether they follow live, have just resumed, or were slow.
struct StreamBook {
    private(set) var streams: [Int: Stream] = [:]
    /// Nil until the database has been asked for the first time.
    private(set) var head: ConfigHead?
    private var config = History(read: 0)
    /// Invariant: holds exactly the accounts that a stream follows.
    private var accounts: [Int64: History] = [:]
    /// The streams of users who have no account yet.
    private var withoutAccount: [VerifiedUser: Set<Int>] = [:]

    private var turns = Turns()
    /// The histories whose next turn is for the streams that are farthest behind.
    private var oldestFirst: Set<StreamScope> = []
    /// What may have moved without anybody hearing of it: everything, or some accounts.
    private var isAllUnchecked = false
    private var unchecked: Set<Int64> = []
    private var areUsersUnchecked = false
    private var nextNumber = 1

    // MARK: Streams

    /// Adds a stream, and returns the number that it goes by from now on.
    mutating func open(_ stream: Stream) -> Int {
        let number = nextNumber
        nextNumber += 1
        streams[number] = stream
        if stream.config != nil {
            config.members.insert(number)
            turns.append(.config)
        }
        if let place = stream.notes {
            join(number, place)
        } else if let user = stream.audience.user {
            withoutAccount[user, default: []].insert(number)
            areUsersUnchecked = true
        }
        return number
    }

    mutating func close(_ number: Int) {
        guard let stream = streams.removeValue(forKey: number) else { return }
        config.members.remove(number)
        if let place = stream.notes {
            accounts[place.account]?.members.remove(number)
            if accounts[place.account]?.members.isEmpty == true { accounts[place.account] = nil }
        } else if let user = stream.audience.user {
            withoutAccount[user]?.remove(number)
            if withoutAccount[user]?.isEmpty == true { withoutAccount[user] = nil }
        }
    }

    private mutating func join(_ number: Int, _ place: Stream.NotesPlace) {
        accounts[place.account, default: History(read: place.revision)].members.insert(number)
        // What has happened since the place was read was announced to nobody here.
        unchecked.insert(place.account)
        turns.append(.account(place.account))
    }

    /// Where a stream stands.
    func id(of number: Int) -> EventID {
        streams[number].map { id(of: $0) } ?? EventID()
    }

    private func id(of stream: Stream) -> EventID {
        var id = EventID()
        if let config = stream.config, let head { id.config = Cursor(revision: config, lineage: head.lineage) }
        if let place = stream.notes {
            id.notes = Cursor(revision: place.revision, lineage: place.lineage)
        } else if stream.audience.user != nil, let head {
            id.notes = Cursor(revision: 0, lineage: head.lineage)
        }
        return id
    }

    /// Where the histories of a stream are.
    func newest(for number: Int) -> EventID {
        guard var newest = streams[number] else { return EventID() }
        for scope in newest.scopes { newest.move(to: self[scope]?.newest ?? 0, in: scope) }
        return id(of: newest)
    }

    /// Notes that the web server takes no more of a stream, or takes more again.
    mutating func note(_ number: Int, isBlocked: Bool) {
        streams[number]?.isBlocked = isBlocked
        if !isBlocked { streams[number]?.scopes.forEach { turns.append($0) } }
    }

    /// Notes that a stream has been told of everything up to a revision.
    mutating func note(_ number: Int, told revision: Int64, of scope: StreamScope, isNews: Bool = true) {
        streams[number]?.move(to: revision, in: scope)
        if isNews { streams[number]?.hasNews = true }
    }

    /// Whether a stream has been told of everything that is known to have happened.
    func isUpToDate(_ number: Int) -> Bool {
        guard let stream = streams[number] else { return true }
        return stream.scopes.allSatisfy { (stream.place(in: $0) ?? 0) >= (self[$0]?.newest ?? 0) }
    }

    // MARK: What happens to the histories

    /// Takes a notification: a history has reached a revision.
    mutating func note(_ scope: StreamScope, announced revision: Int64) {
        switch scope {
        case .config: config.announce(revision)
        case .account(let id):
            // It may be that of a user who had none.
            if accounts[id] == nil, !withoutAccount.isEmpty { areUsersUnchecked = true }
            accounts[id]?.announce(revision)
        }
        turns.append(scope)
    }

    /// Has everything compared with the database: anything may have been missed.
    mutating func noteSilence() {
        isAllUnchecked = true
    }

    /// Takes the head of the config as it was read.
    ///
    /// - Parameter before: what was known of it when the reading began.
    /// - Returns: whether the history is another one than before, so that no stream can go on.
    mutating func note(head read: ConfigHead, before: History.Mark = History.Mark(read: 0)) -> Bool {
        let isReplaced =
            config.note(read: read.revision, before: before) || head.map { $0.lineage != read.lineage } ?? false
        head = read
        turns.append(.config)
        return isReplaced
    }

    /// Takes an account as it was read; nil when it is gone.
    ///
    /// - Returns: whether its streams cannot go on, because its history is another one than before.
    mutating func note(_ id: Int64, _ read: AccountHead?, before: History.Mark) -> Bool {
        guard let read, !members(of: .account(id)).contains(where: { streams[$0]?.notes?.lineage != read.lineage })
        else {
            return true
        }
        return accounts[id]?.note(read: read.revision, before: before) ?? false
    }

    /// Takes what a check has found: an account that has another revision than was known, or none any more.
    ///
    /// - Returns: whether its streams cannot go on.
    mutating func note(_ id: Int64, moved revision: Int64?, before: History.Mark) -> Bool {
        turns.append(.account(id))
        guard let revision else { return true }
        return accounts[id]?.note(read: revision, before: before) ?? false
    }

    /// Takes the account that a user has by now: its streams begin at its beginning.
    mutating func note(_ account: AccountHead, of user: VerifiedUser) {
        for number in withoutAccount.removeValue(forKey: user) ?? [] {
            let place = Stream.NotesPlace(account: account.id, lineage: account.lineage, revision: 0)
            streams[number]?.notes = place
            join(number, place)
        }
        accounts[account.id]?.announce(account.revision)
    }

    /// When a history was first heard to have moved, since this was asked the last time.
    mutating func takeHeardAt(_ scope: StreamScope) -> ContinuousClock.Instant? {
        switch scope {
        case .config: config.takeHeardAt()
        case .account(let id): accounts[id]?.takeHeardAt()
        }
    }

    func members(of scope: StreamScope) -> Set<Int> { self[scope]?.members ?? [] }

    // MARK: Work

    /// What is to be asked of the database next.
    enum Job: Equatable {
        /// Compare what is known of the histories with the database.
        case check(Watched)
        /// Read what happened in a history after a revision; the mark is what is known of it before that.
        case read(StreamScope, after: Int64, History.Mark)
    }

    /// What a check compares: what is known of the histories, and the users without an account.
    struct Watched: Equatable {
        let config: History.Mark
        let accounts: [Int64: History.Mark]
        let users: [VerifiedUser]
    }

    /// The next job, or nil when every stream has been told of everything.
    mutating func nextJob() -> Job? {
        if isAllUnchecked || areUsersUnchecked || !unchecked.isEmpty { return .check(takeUnchecked()) }
        while let scope = turns.next() {
            let places = readers(of: scope).compactMap { streams[$0]?.place(in: scope) }
            guard let latest = places.max(), let earliest = places.min(), let mark = self[scope]?.mark else {
                oldestFirst.remove(scope)
                continue
            }
            // Its next turn comes after those of the others, and those who follow live take turns with who catches up.
            turns.append(scope)
            if oldestFirst.remove(scope) != nil { return .read(scope, after: earliest, mark) }
            if latest != earliest { oldestFirst.insert(scope) }
            return .read(scope, after: latest, mark)
        }
        return nil
    }

    private mutating func takeUnchecked() -> Watched {
        defer {
            isAllUnchecked = false
            areUsersUnchecked = false
            unchecked = []
        }
        let marks =
            isAllUnchecked
            ? accounts.mapValues(\.mark)
            : Dictionary(uniqueKeysWithValues: unchecked.compactMap { id in accounts[id].map { (id, $0.mark) } })
        return Watched(
            config: config.mark, accounts: marks,
            users: isAllUnchecked || areUsersUnchecked ? Array(withoutAccount.keys) : [])
    }

    /// The streams that have something to be told of a history and can take it.
    ///
    /// - Parameter revision: of these, only those that stand there or later.
    func readers(of scope: StreamScope, from revision: Int64 = 0) -> [Int] {
        guard let history = self[scope] else { return [] }
        return history.members.filter { number in
            guard let stream = streams[number], !stream.isBlocked, let place = stream.place(in: scope) else {
                return false
            }
            return place >= revision && place < history.newest
        }
    }

    private subscript(_ scope: StreamScope) -> History? {
        switch scope {
        case .config: config
        case .account(let id): accounts[id]
        }
    }
}
