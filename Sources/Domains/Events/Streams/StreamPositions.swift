internal import AlmanacIdentity
internal import AlmanacRevisions

/// The positions of an environment's open streams in their histories.
///
/// This pure value decides which changes to read and which streams to send them to, without I/O. The changes after a
/// position are read once for all streams at that position, whether those are live, just resumed, or slow.
struct StreamPositions {
    private(set) var streams: [Int: Stream] = [:]
    /// The head of the config; nil before the first read.
    private(set) var head: ConfigHead?
    private var config = History(read: 0)
    /// Invariant: contains exactly the accounts that a stream follows.
    private var accounts: [Int64: History] = [:]
    /// The streams of users without an account.
    private var streamsWithoutAccount: [VerifiedUser: Set<Int>] = [:]

    private var queue = ReadQueue()
    /// The histories whose next read serves the streams that are farthest behind.
    private var oldestFirst: Set<StreamScope> = []
    /// The histories that may have changed without an announcement: all of them, or those of some accounts.
    private var isAllUnchecked = false
    private var unchecked: Set<Int64> = []
    private var areUsersUnchecked = false
    private var nextNumber = 1
    private(set) var followersOfFlags: Set<Int> = []
    /// True if the times at which flags change must be read again.
    private var needsSchedule = true

    // MARK: Streams

    /// Adds a stream and returns its number.
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
            streamsWithoutAccount[user, default: []].insert(number)
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
            streamsWithoutAccount[user]?.remove(number)
            if streamsWithoutAccount[user]?.isEmpty == true { streamsWithoutAccount[user] = nil }
        }
    }

    private mutating func join(_ number: Int, _ position: Stream.NotesPosition) {
        accounts[position.account, default: History(read: position.revision)].members.insert(number)
        // This process got no announcements of changes since the position was read.
        unchecked.insert(position.account)
        queue.append(.account(position.account))
    }

    /// Returns the positions of a stream for the id of its next event.
    func id(of number: Int) -> EventID { streams[number].map { id(of: $0) } ?? EventID() }

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

    /// Marks a stream as blocked while the web server accepts no more bytes.
    mutating func setBlocked(_ number: Int, _ isBlocked: Bool) {
        streams[number]?.isBlocked = isBlocked
        if !isBlocked { streams[number]?.scopes.forEach { queue.append($0) } }
    }

    /// Marks a stream as scheduled for a notification.
    mutating func setScheduled(_ number: Int, _ isScheduled: Bool) {
        streams[number]?.isScheduled = isScheduled
        if !isScheduled { queue.append(.config) }
    }

    /// Returns true if the times at which flags change must be read, because a stream follows flags.
    mutating func takeScheduleRequest() -> Bool {
        guard needsSchedule, !followersOfFlags.isEmpty else { return false }
        needsSchedule = false
        return true
    }

    /// Requests another read of the times at which flags change.
    mutating func requestSchedule() { needsSchedule = true }

    /// Moves a stream that has been sent everything up to a revision.
    ///
    /// - Parameter isChange: True if the stream was sent an event.
    mutating func advance(_ number: Int, to revision: Int64, in scope: StreamScope, isChange: Bool = true) {
        streams[number]?.move(to: revision, in: scope)
        if isChange { streams[number]?.hasChange = true }
    }

    /// Returns true if a stream has been sent all known changes.
    func isUpToDate(_ number: Int) -> Bool {
        guard let stream = streams[number] else { return true }
        return stream.scopes.allSatisfy { (stream.position(in: $0) ?? 0) >= (self[$0]?.newest ?? 0) }
    }

    // MARK: Changes of the histories

    /// Records a notification that a history reached a revision.
    mutating func announce(_ revision: Int64, in scope: StreamScope, at now: ContinuousClock.Instant) {
        switch scope {
        case .config: config.announce(revision, at: now)
        case .account(let id):
            // The account may belong to a user who had none.
            if accounts[id] == nil, !streamsWithoutAccount.isEmpty { areUsersUnchecked = true }
            accounts[id]?.announce(revision, at: now)
        }
        queue.append(scope)
    }

    /// Requests a comparison with the database, because announcements may have been lost.
    mutating func checkAll() { isAllUnchecked = true }

    /// Updates the head of the config after a read.
    ///
    /// - Parameter before: The mark when the read began.
    /// - Returns: `true` if the history was replaced, so that no stream can continue.
    mutating func didRead(_ read: ConfigHead, before: History.Mark = History.Mark(read: 0)) -> Bool {
        let isReplaced =
            config.didRead(read.revision, before: before) || head.map { $0.lineage != read.lineage } ?? false
        if head != read { needsSchedule = true }
        head = read
        queue.append(.config)
        return isReplaced
    }

    /// Updates an account after a read; the account is nil if it was erased.
    ///
    /// - Returns: `true` if the account's streams cannot continue, because it was erased or its history was replaced.
    mutating func didRead(_ read: AccountHead?, of id: Int64, before: History.Mark) -> Bool {
        guard let read, !members(of: .account(id)).contains(where: { streams[$0]?.notes?.lineage != read.lineage })
        else {
            return true
        }
        return accounts[id]?.didRead(read.revision, before: before) ?? false
    }

    /// Updates an account that a check found changed or erased (nil). Returns true if its streams cannot continue.
    mutating func updateAccount(_ revision: Int64?, of id: Int64, before: History.Mark) -> Bool {
        queue.append(.account(id))
        guard let revision else { return true }
        return accounts[id]?.didRead(revision, before: before) ?? false
    }

    /// Attaches a user's new account to the user's streams, which begin at revision 0.
    mutating func attachAccount(_ account: AccountHead, of user: VerifiedUser, at now: ContinuousClock.Instant) {
        for number in streamsWithoutAccount.removeValue(forKey: user) ?? [] {
            let position = Stream.NotesPosition(account: account.id, lineage: account.lineage, revision: 0)
            streams[number]?.notes = position
            join(number, position)
        }
        accounts[account.id]?.announce(account.revision, at: now)
    }

    /// Returns the time of a history's first announcement since the last call.
    mutating func takeAnnouncedAt(_ scope: StreamScope) -> ContinuousClock.Instant? {
        switch scope {
        case .config: config.takeAnnouncedAt()
        case .account(let id): accounts[id]?.takeAnnouncedAt()
        }
    }

    func members(of scope: StreamScope) -> Set<Int> { self[scope]?.members ?? [] }

    // MARK: Work

    /// A job for the reader of the database.
    enum Job: Equatable {
        /// Compares the known histories with the database.
        case check(KnownState)
        /// Reads the changes of a history after a revision. The mark is the known state before the read.
        case read(StreamScope, after: Int64, History.Mark)
    }

    /// The known histories and the users without an account, for a comparison with the database.
    struct KnownState: Equatable {
        let config: History.Mark
        let accounts: [Int64: History.Mark]
        let users: [VerifiedUser]
    }

    /// Returns the next job, or nil if every stream has been sent everything.
    mutating func nextJob() -> Job? {
        if isAllUnchecked || areUsersUnchecked || !unchecked.isEmpty { return .check(takeUnchecked()) }
        while let scope = queue.next() {
            let positions = readers(of: scope).compactMap { streams[$0]?.position(in: scope) }
            guard let latest = positions.max(), let earliest = positions.min(), let mark = self[scope]?.mark else {
                oldestFirst.remove(scope)
                continue
            }
            // Other histories come first, and live streams alternate with streams that are behind.
            queue.append(scope)
            if oldestFirst.remove(scope) != nil { return .read(scope, after: earliest, mark) }
            if latest != earliest { oldestFirst.insert(scope) }
            return .read(scope, after: latest, mark)
        }
        return nil
    }

    private mutating func takeUnchecked() -> KnownState {
        defer {
            isAllUnchecked = false
            areUsersUnchecked = false
            unchecked = []
        }
        let marks =
            isAllUnchecked
            ? accounts.mapValues(\.mark)
            : Dictionary(uniqueKeysWithValues: unchecked.compactMap { id in accounts[id].map { (id, $0.mark) } })
        return KnownState(
            config: config.mark, accounts: marks,
            users: isAllUnchecked || areUsersUnchecked ? Array(streamsWithoutAccount.keys) : [])
    }

    /// Returns the streams that lack changes of a history and can accept them.
    ///
    /// - Parameter revision: The lowest position of the streams.
    func readers(of scope: StreamScope, from revision: Int64 = 0) -> [Int] {
        guard let history = self[scope] else { return [] }
        return history.members.filter { number in
            guard let stream = streams[number], !stream.isBlocked, !stream.isScheduled,
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
