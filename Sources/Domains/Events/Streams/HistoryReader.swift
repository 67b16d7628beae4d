internal import AlmanacEnvironments
internal import AlmanacMetrics
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// Reads from the database what has happened, and has the streams told of it.
struct HistoryReader: Sendable {
    let desk: Monitor<Desk>
    let pool: Pool
    let stop: Event
    /// How long after the first word of a change it has been written to a stream.
    let delays: Histogram
    /// Told after every reading: of the error, or of none.
    let report: @Sendable ((any Error)?) -> Void

    /// How many streams are served at a stretch, before others may touch the desk.
    private static let stretch = 256

    /// Works until the desk is closed.
    func run() {
        while let job = nextJob() { perform(job) }
    }

    /// Blocks until there is something to do; nil when the hub is closed.
    private func nextJob() -> StreamBook.Job? {
        desk.wait { desk -> StreamBook.Job?? in
            if desk.isClosed { return .some(nil) }
            return desk.book.nextJob().map { .some($0) }
        } ?? nil
    }

    private func perform(_ job: StreamBook.Job) {
        do {
            switch job {
            case .check(let watched): try compare(watched)
            case .read(.config, let revision, let mark): try readConfig(after: revision, mark)
            case .read(.account(let id), let revision, let mark): try readNotes(of: id, after: revision, mark)
            }
            report(nil)
        } catch {
            report(error)
            _ = stop.wait(upTo: .milliseconds(500))
            desk.update { $0.book.noteSilence() }
        }
    }

    private func compare(_ watched: StreamBook.Watched) throws {
        let (head, moved, found) = try pool.withConnection { connection in
            try connection.view { connection in
                let head = try ConfigFeed.head(on: connection)
                let moved = try NotesFeed.moved(watched.accounts.mapValues(\.read), on: connection)
                return (head, moved, try NotesFeed.found(watched.users, database: head.lineage, on: connection))
            }
        }
        desk.update { desk in
            if desk.book.note(head: head, before: watched.config) {
                desk.endAll(.historyReplaced)
                return
            }
            for (id, revision) in moved {
                if desk.book.note(id, moved: revision, before: watched.accounts[id]!) {
                    desk.end(membersOf: id, isErased: revision == nil)
                }
            }
            for (user, account) in found { desk.book.note(account, of: user) }
        }
    }

    private func readConfig(after revision: Int64, _ mark: History.Mark) throws {
        let (head, releases) = try pool.withConnection { try ConfigFeed.read(after: revision, on: $0) }
        let (isReplaced, count) = desk.update { desk in
            (desk.book.note(head: head, before: mark), desk.outlets.count)
        }
        if isReplaced {
            desk.update { $0.endAll(.historyReplaced) }
            return
        }
        let spread = Spread.milliseconds(for: count)
        deliver(
            Page(
                scope: .config,
                events: releases.map { ($0.revision, $0.message(lineage: head.lineage, spreadMs: spread)) },
                isComplete: releases.count < ConfigFeed.limit, newest: head.revision, oldest: head.oldestRevision),
            after: revision)
    }

    private func readNotes(of id: Int64, after revision: Int64, _ mark: History.Mark) throws {
        let (account, changes) = try pool.withConnection { try NotesFeed.read(account: id, after: revision, on: $0) }
        let isReplaced = desk.update { $0.book.note(id, account, before: mark) }
        guard let account, !isReplaced else {
            desk.update { $0.end(membersOf: id, isErased: account == nil) }
            return
        }
        deliver(
            Page(
                scope: .account(id), events: changes.map { ($0.revision, $0.message) },
                isComplete: changes.count < NotesFeed.limit, newest: account.revision,
                oldest: account.oldestRevision),
            after: revision)
    }

    private func deliver(_ page: Page, after revision: Int64) {
        let heardAt = desk.update { $0.book.takeHeardAt(page.scope) }
        var readers = desk.read { $0.book.readers(of: page.scope, from: revision) }[...]
        while !readers.isEmpty {
            let some = readers.prefix(Self.stretch)
            readers = readers.dropFirst(Self.stretch)
            desk.update { desk in
                for number in some { desk.deliver(page, to: number) }
            }
            guard let heardAt else { continue }
            let delay = Int((ContinuousClock.now - heardAt) / .nanoseconds(1))
            for _ in some { delays.observe(nanoseconds: delay) }
        }
    }
}

extension Desk {
    fileprivate mutating func end(membersOf account: Int64, isErased: Bool) {
        for number in book.members(of: .account(account)) {
            end(number, isErased ? .accountErased : .historyReplaced)
        }
    }
}
