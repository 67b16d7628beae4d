internal import AlmanacIdentity
internal import AlmanacRevisions

/// The positions of all open streams of one environment in the histories that they follow.
///
/// A pure value: it decides what is to be read and which streams are to be sent it, and leaves reading and sending to
/// others. Every stream has a position in each history that it follows. The changes between there and the newest
/// revision are read once for all streams at the same position, whether they follow live, have just resumed, or were
/// slow.
struct StreamPositions {
    private(set) var streams: [Int: Stream] = [:]
    /// Nil until the database has been asked for the first time.
    private(set) var head: ConfigHead?
    private var config = History(read: 0)
    /// Invariant: holds exactly the accounts that a stream follows.
    private var accounts: [Int64: History] = [:]
    /// The streams of users who have no account yet.
    private var withoutAccount: [VerifiedUser: Set<Int>] = [:]

    private var queue = ReadQueue()
    /// The histories that are next read for the streams that are farthest behind.
    private var oldestFirst: Set<StreamScope> = []
    /// The histories that may have moved without an announcement: all, or those of some accounts.
    private var isAllUnchecked = false
    private var unchecked: Set<Int64> = []
    private var areUsersUnchecked = false
    private var nextNumber = 1
    /// The streams about flags.
    private(set) var followersOfFlags: Set<Int> = []
    /// What flags say about the time may have changed since that was asked for.
    private var areFlagTimesUnread = true

    // MARK: Streams

    /// Adds a stream, and returns the number that it goes by from now on.
    mutating func open(_ stream: Stream) -> Int {
        let number = nextNumber
        nextNumber += 1
        streams[number] = stream
        if stream.subscriber.followsFlags { followersOfFlags.insert(number) }
        if stream.config != nil {
            config.members.insert(number)
            queue.append(.config)
        }
        if let position = stream.notes {
            join(number, position)
        } else if let user = stream.subscriber.user {
            withoutAccount[user, default: []].insert(number)
            areUsersUnchecked = true
        }
        return number
    }

    mutating func close(_ number: Int) {
        guard let stream = streams.removeValue(forKey: number) else { return }
        config.members.remove(number)
        followersOfFlags.remove(number)
        if let position = stream.notes {
            accounts[position.account]?.members.remove(number)
            if accounts[position.account]?.members.isEmpty == true { accounts[position.account] = nil }
        } else if let user = stream.subscriber.user {
            withoutAccount[user]?.remove(number)
            if withoutAccount[user]?.isEmpty == true { withoutAccount[user] = nil }
        }
    }

    private mutating func join(_ number: Int, _ position: Stream.NotesPosition) {
        accounts[position.account, default: History(read: position.revision)].members.insert(number)
        // Changes since the position was read were not announced here.
        unchecked.insert(position.account)
        queue.append(.account(position.account))
    }

    /// The positions of a stream, as its next event has them.
    func id(of number: Int) -> EventID {
        streams[number].map { id(of: $0) } ?? EventID()
    }

    private func id(of stream: Stream) -> EventID {
        var id = EventID()
        if let config = stream.config, let head { id.config = Cursor(revision: config, lineage: head.lineage) }
        if let position = stream.notes {
            id.notes = Cursor(revision: position.revision, lineage: position.lineage)
        } else if stream.subscriber.user != nil, let head {
            id.notes = Cursor(revision: 0, lineage: head.lineage)
        }
        return id
    }

    /// The newest revisions of the histories that a stream follows.
    func newest(for number: Int) -> EventID {
        guard var newest = streams[number] else { return EventID() }
        for scope in newest.scopes { newest.move(to: self[scope]?.newest ?? 0, in: scope) }
        return id(of: newest)
    }

    /// Marks a stream of which the web server takes no more bytes, or takes more again.
    mutating func setBlocked(_ number: Int, _ isBlocked: Bool) {
        streams[number]?.isBlocked = isBlocked
        if !isBlocked { streams[number]?.scopes.forEach { queue.append($0) } }
    }

    /// Marks a stream whose turn to be told comes later, or has come.
    mutating func setHeld(_ number: Int, _ isHeld: Bool) {
        streams[number]?.isHeld = isHeld
        if !isHeld { queue.append(.config) }
    }

    /// Whether to read what flags say about the time, now that there is somebody to tell.
    mutating func takeFlagTimes() -> Bool {
        guard areFlagTimesUnread, !followersOfFlags.isEmpty else { return false }
        areFlagTimesUnread = false
        return true
    }

    /// Has what flags say about the time read again.
    mutating func forgetFlagTimes() { areFlagTimesUnread = true }

    /// Moves a stream that has been sent everything up to a revision.
    ///
    /// - Parameter isChange: whether it was sent something for that.
    mutating func advance(_ number: Int, to revision: Int64, in scope: StreamScope, isChange: Bool = true) {
        streams[number]?.move(to: revision, in: scope)
        if isChange { streams[number]?.hasChange = true }
    }

    /// Whether a stream has been sent everything that is known to have happened.
    func isUpToDate(_ number: Int) -> Bool {
        guard let stream = streams[number] else { return true }
        return stream.scopes.allSatisfy { (stream.position(in: $0) ?? 0) >= (self[$0]?.newest ?? 0) }
    }

    // MARK: Changes of the histories

    /// Takes a notification: a history has reached a revision.
    mutating func announce(_ revision: Int64, in scope: StreamScope, at now: ContinuousClock.Instant) {
        switch scope {
        case .config: config.announce(revision, at: now)
        case .account(let id):
            // It may be that of a user who had none.
            if accounts[id] == nil, !withoutAccount.isEmpty { areUsersUnchecked = true }
            accounts[id]?.announce(revision, at: now)
        }
        queue.append(scope)
    }

    /// Has everything compared with the database: anything may have been missed.
    mutating func checkAll() {
        isAllUnchecked = true
    }

    /// Takes the head of the config as it was read.
    ///
    /// - Parameter before: the mark when the reading began.
    /// - Returns: whether the history is another one than before, so that no stream can go on.
    mutating func didRead(_ read: ConfigHead, before: History.Mark = History.Mark(read: 0)) -> Bool {
        let isReplaced =
            config.didRead(read.revision, before: before) || head.map { $0.lineage != read.lineage } ?? false
        if head != read { areFlagTimesUnread = true }
        head = read
        queue.append(.config)
        return isReplaced
    }

    /// Takes an account as it was read; nil when it is gone.
    ///
    /// - Returns: whether its streams cannot go on, because its history is another one than before.
    mutating func didRead(_ read: AccountHead?, of id: Int64, before: History.Mark) -> Bool {
        guard let read, !members(of: .account(id)).contains(where: { streams[$0]?.notes?.lineage != read.lineage })
        else {
            return true
        }
        return accounts[id]?.didRead(read.revision, before: before) ?? false
    }

    /// Takes an account that a check has found at another revision than was known, or gone.
    ///
    /// - Returns: whether its streams cannot go on.
    mutating func didFind(_ revision: Int64?, of id: Int64, before: History.Mark) -> Bool {
        queue.append(.account(id))
        guard let revision else { return true }
        return accounts[id]?.didRead(revision, before: before) ?? false
    }

    /// Takes the account that a user has by now: its streams begin at its beginning.
    mutating func didFind(_ account: AccountHead, of user: VerifiedUser, at now: ContinuousClock.Instant) {
        for number in withoutAccount.removeValue(forKey: user) ?? [] {
            let position = Stream.NotesPosition(account: account.id, lineage: account.lineage, revision: 0)
            streams[number]?.notes = position
            join(number, position)
        }
        accounts[account.id]?.announce(account.revision, at: now)
    }

    /// When a history was first announced to have moved, since this was asked the last time.
    mutating func takeAnnouncedAt(_ scope: StreamScope) -> ContinuousClock.Instant? {
        switch scope {
        case .config: config.takeAnnouncedAt()
        case .account(let id): accounts[id]?.takeAnnouncedAt()
        }
    }

    func members(of scope: StreamScope) -> Set<Int> { self[scope]?.members ?? [] }

    // MARK: Work

    /// A question to the database.
    enum Job: Equatable {
        /// Compare the histories as they are known with the database.
        case check(Watched)
        /// Read the changes of a history after a revision; the mark is how far it is known before that.
        case read(StreamScope, after: Int64, History.Mark)
    }

    /// The histories as they are known, and the users without an account, for a check to compare.
    struct Watched: Equatable {
        let config: History.Mark
        let accounts: [Int64: History.Mark]
        let users: [VerifiedUser]
    }

    /// The next job, or nil when every stream has been sent everything.
    mutating func nextJob() -> Job? {
        if isAllUnchecked || areUsersUnchecked || !unchecked.isEmpty { return .check(takeUnchecked()) }
        while let scope = queue.next() {
            let positions = readers(of: scope).compactMap { streams[$0]?.position(in: scope) }
            guard let latest = positions.max(), let earliest = positions.min(), let mark = self[scope]?.mark else {
                oldestFirst.remove(scope)
                continue
            }
            // Behind all others in the queue; and its live streams take turns with those that catch up.
            queue.append(scope)
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

    /// The streams that lack changes of a history and can take them.
    ///
    /// - Parameter revision: of these, only those at that position or later.
    func readers(of scope: StreamScope, from revision: Int64 = 0) -> [Int] {
        guard let history = self[scope] else { return [] }
        return history.members.filter { number in
            guard let stream = streams[number], !stream.isBlocked, !stream.isHeld,
                let position = stream.position(in: scope)
            else {
                return false
            }
            return position >= revision && position < history.newest
        }
    }

    private subscript(_ scope: StreamScope) -> History? {
        switch scope {
        case .config: config
        case .account(let id): accounts[id]
        }
    }
}
