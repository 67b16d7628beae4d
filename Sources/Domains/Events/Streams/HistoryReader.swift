internal import AlmanacEnvironments
internal import AlmanacMetrics
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// A reader of changes from the database, which delivers them to the streams.
struct HistoryReader: Sendable {
    let table: Monitor<StreamTable>
    let pool: Pool
    let stop: Event
    let clock: ServerClock
    /// The time from a change's announcement to its write to a stream.
    let delays: Histogram
    /// The receiver of every read's outcome: an error, or nil.
    let report: @Sendable ((any Error)?) -> Void
    /// A function that wakes the thread that runs the timers.
    let wake: @Sendable () -> Void

    /// The maximum number of streams that are sent an event under one lock of the table.
    private static let maxStreamsPerLock = 256

    /// Performs jobs until the table is closed.
    func run() { while let job = nextJob() { perform(job) } }

    /// Blocks until there is a job; returns nil when the table is closed.
    private func nextJob() -> StreamPositions.Job? {
        table.wait { table -> StreamPositions.Job?? in
            if table.isClosed { return .some(nil) }
            return table.positions.nextJob().map { .some($0) }
        } ?? nil
    }

    private func perform(_ job: StreamPositions.Job) {
        do {
            switch job {
            case .check(let known): try compare(known)
            case .read(.config, let revision, let mark): try readConfig(after: revision, mark)
            case .read(.account(let id), let revision, let mark): try readNotes(of: id, after: revision, mark)
            }
            report(nil)
        } catch {
            report(error)
            _ = stop.wait(upTo: .milliseconds(500))
            table.update { table in
                table.positions.requestSchedule()
                table.positions.checkAll()
            }
        }
    }

    private func compare(_ known: StreamPositions.KnownState) throws {
        let needsSchedule = table.update { $0.positions.takeScheduleRequest() }
        let (head, changed, newAccounts, schedule) = try pool.withConnection { connection in
            try connection.view { connection in
                let head = try ConfigFeed.head(on: connection)
                let changed = try NotesFeed.changedAccounts(known.accounts.mapValues(\.read), on: connection)
                let schedule = needsSchedule ? try FlagFeed.schedule(on: connection) : nil
                let newAccounts = try NotesFeed.accountsOfUsers(known.users, database: head.lineage, on: connection)
                return (head, changed, newAccounts, schedule)
            }
        }
        table.update { table in
            if let schedule { table.set(schedule) }
            if table.positions.didRead(head, before: known.config) {
                table.closeAll(.historyReplaced)
                return
            }
            for (id, revision) in changed {
                if table.positions.updateAccount(revision, of: id, before: known.accounts[id]!) {
                    table.close(membersOf: id, isErased: revision == nil)
                }
            }
            let now = clock.now()
            for (user, account) in newAccounts { table.positions.attachAccount(account, of: user, at: now) }
        }
    }

    private func readConfig(after revision: Int64, _ mark: History.Mark) throws {
        let (head, releases) = try pool.withConnection { try ConfigFeed.read(after: revision, on: $0) }
        let (isReplaced, count) = table.update { table in
            (table.positions.didRead(head, before: mark), table.sinks.count)
        }
        if isReplaced {
            table.update { $0.closeAll(.historyReplaced) }
            return
        }
        let spread = Spread.milliseconds(for: count)
        deliver(
            EventBatch(
                scope: .config,
                events: releases.map { ($0.revision, $0.message(lineage: head.lineage, spreadMs: spread)) },
                isComplete: releases.count < ConfigFeed.limit, newest: head.revision, oldest: head.oldestRevision,
                withoutFlags: Dictionary(
                    uniqueKeysWithValues: releases.filter(\.changesFlags).map {
                        ($0.revision, $0.message(lineage: head.lineage, spreadMs: spread, seesFlags: false))
                    }),
                flagChange: releases.last(where: \.changesFlags).map {
                    ($0.revision, $0.releasedAt.milliseconds / 1000)
                }), after: revision)
    }

    private func readNotes(of id: Int64, after revision: Int64, _ mark: History.Mark) throws {
        let (account, events) = try pool.withConnection { try NotesFeed.read(account: id, after: revision, on: $0) }
        let isReplaced = table.update { $0.positions.didRead(account, of: id, before: mark) }
        guard let account, !isReplaced else {
            table.update { $0.close(membersOf: id, isErased: account == nil) }
            return
        }
        deliver(
            EventBatch(
                scope: .account(id), events: events,
                isComplete: events.count < NotesFeed.limit, newest: account.revision, oldest: account.oldestRevision),
            after: revision)
    }

    private func deliver(_ batch: EventBatch, after revision: Int64) {
        let announcedAt = table.update { $0.positions.takeAnnouncedAt(batch.scope) }
        var readers = table.read { $0.positions.readers(of: batch.scope, from: revision) }[...]
        while !readers.isEmpty {
            let some = readers.prefix(Self.maxStreamsPerLock)
            readers = readers.dropFirst(Self.maxStreamsPerLock)
            table.update { table in
                for number in some { table.deliver(batch, to: number) }
            }
            wake()
            guard let announcedAt else { continue }
            let delay = Int((clock.now() - announcedAt) / .nanoseconds(1))
            for _ in some { delays.observe(nanoseconds: delay) }
        }
    }
}

extension StreamTable {
    fileprivate mutating func close(membersOf account: Int64, isErased: Bool) {
        for number in positions.members(of: .account(account)) {
            close(number, isErased ? .accountErased : .historyReplaced)
        }
    }
}
