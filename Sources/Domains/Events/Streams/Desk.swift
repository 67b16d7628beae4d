internal import AlmanacFastCGI
internal import AlmanacPOSIX

/// The open streams of one environment with the ways to their readers: does what the book decides.
///
/// Nothing here blocks. Whoever cannot take an event at once keeps its rest, gets no further ones, and is told of what
/// it missed from the database as soon as there is room again.
struct Desk {
    var book = StreamBook()
    private(set) var tally = StreamTally()
    private(set) var outlets: [Int: Outlet] = [:]
    private var timetable: Timetable
    /// No stream is begun any more.
    var isClosed = false
    /// The bytes of the event that was sent last: most streams are sent the same ones.
    private var lastBytes: (revision: Int64, scope: StreamScope, id: EventID, bytes: [UInt8])?

    /// How long a reader may take to make room for the rest of an event.
    private static let patience = Duration.seconds(30)
    private static let pingInterval = Duration.seconds(Message.pingInterval)
    /// The longest that a lost notification goes unnoticed.
    private static let checkInterval = Duration.seconds(2)
    private var nextCheck: ContinuousClock.Instant

    init(now: ContinuousClock.Instant) {
        timetable = Timetable(start: now)
        nextCheck = now + Self.checkInterval
    }

    // MARK: Opening and ending

    /// Begins a stream.
    ///
    /// - Parameters:
    ///   - needsResync: the reader has missed more than can be told.
    ///   - wait: how long a long poll waits for news; nil for a stream without an end.
    /// - Returns: its number, or nil when it is over already.
    mutating func open(_ opening: Opening, on answer: OpenAnswer, now: ContinuousClock.Instant, time: Int64) -> Int? {
        let number = book.open(opening.stream)
        outlets[number] = Outlet(
            answer: answer, seat: opening.seat, nextPing: now + Self.pingInterval, nextLook: now,
            end: opening.wait.map { now + $0 })
        guard !isClosed else {
            end(number, .restarting)
            return nil
        }
        // Its places belong to a history that has been replaced since, or that is not known here yet.
        guard opening.head.lineage == book.head?.lineage else {
            book.noteSilence()
            end(number, .historyReplaced)
            return nil
        }
        book.note(.config, announced: opening.head.revision)
        if let account = opening.account { book.note(.account(account.id), announced: account.revision) }
        greet(number, opening, time: time)
        if opening.wait != nil, opening.needsHello || opening.needsResync { answered(number) }
        schedule(number, now: now, time: time)
        return outlets[number] == nil ? nil : number
    }

    /// Sends what a stream begins with, at once: who has the greeting's id must have been told of the resync too.
    private mutating func greet(_ number: Int, _ opening: Opening, time: Int64) {
        let id = book.id(of: number)
        var bytes: [UInt8] = []
        if opening.needsHello {
            let expiry = opening.stream.audience.tokenExpiresIn(at: time)
            let newest = book.newest(for: number)
            let hello = Message.hello(newest: newest, version: book.head?.version, tokenExpiresIn: expiry)
            tally.count(hello)
            bytes += hello.bytes(id: id)
        }
        if opening.needsResync {
            let resync = Message.resync(at: id)
            tally.count(resync)
            bytes += resync.bytes(id: id)
        }
        if !bytes.isEmpty { _ = send(bytes, to: number) }
    }

    /// Ends a stream with its reason.
    mutating func end(_ number: Int, _ reason: Message.Farewell) {
        let spread = reason == .tokenExpired || reason == .tokenRevoked ? 0 : Spread.milliseconds(for: outlets.count)
        end(number, reason, spreadMs: spread)
    }

    private mutating func end(_ number: Int, _ reason: Message.Farewell, spreadMs: Int) {
        guard outlets[number] != nil else { return }
        tally.count(reason)
        send(.bye(reason, spreadMs: spreadMs), to: number, id: nil)
        finish(number)
    }

    mutating func endAll(_ reason: Message.Farewell) {
        let spread = Spread.milliseconds(for: outlets.count)
        for number in Array(outlets.keys) { end(number, reason, spreadMs: spread) }
    }

    /// Ends a long poll that has its answer.
    private mutating func answered(_ number: Int) {
        guard outlets[number] != nil else { return }
        tally.count(.answered)
        finish(number)
    }

    /// Ends the answer, so that the reader sees that it is complete.
    private mutating func finish(_ number: Int) {
        if let outlet = outlets[number], outlet.unsent.isEmpty { _ = outlet.answer.send(outlet.answer.end[...]) }
        remove(number)
    }

    /// Lets go of a stream whose client has left.
    mutating func leave(_ number: Int) {
        guard outlets[number] != nil else { return }
        tally.count(.left)
        remove(number)
    }

    /// Lets go of a stream without a word.
    private mutating func remove(_ number: Int) {
        book.close(number)
        outlets[number] = nil
    }

    // MARK: Sending

    /// Sends an event to a stream that has room.
    ///
    /// - Returns: whether there is room for more.
    @discardableResult
    private mutating func send(_ message: Message, to number: Int, id: EventID?) -> Bool {
        tally.count(message)
        return send(message.bytes(id: id), to: number)
    }

    private mutating func send(_ bytes: [UInt8], to number: Int) -> Bool {
        guard let outlet = outlets[number], outlet.unsent.isEmpty else { return false }
        return push(outlet.answer.records(bytes)[...], to: number)
    }

    private mutating func push(_ records: ArraySlice<UInt8>, to number: Int) -> Bool {
        guard let answer = outlets[number]?.answer else { return false }
        switch answer.send(records) {
        case .all:
            return true
        case .allBut(let count):
            // A copy, so that no more is kept than what is left.
            outlets[number]?.unsent = Array(records.suffix(count))[...]
            if outlets[number]?.blockedSince == nil {
                let now = ContinuousClock.now
                outlets[number]?.blockedSince = now
                timetable.add(number, at: now + Self.patience)
            }
            book.note(number, isBlocked: true)
            return false
        case .gone:
            leave(number)
            return false
        }
    }

    /// Goes on with a stream whose reader has made room.
    mutating func resume(_ number: Int) {
        guard let outlet = outlets[number], !outlet.unsent.isEmpty else { return }
        outlets[number]?.unsent = []
        guard push(outlet.unsent, to: number) else { return }
        outlets[number]?.blockedSince = nil
        book.note(number, isBlocked: false)
        endIfDone(number)
    }

    /// Tells a stream of what is in a page behind its own place.
    mutating func deliver(_ page: Page, to number: Int) {
        guard let stream = book.streams[number], !stream.isBlocked, let place = stream.place(in: page.scope) else {
            return
        }
        if place < page.oldest {
            book.note(number, told: page.newest, of: page.scope)
            send(.resync(at: book.id(of: number)), to: number, id: book.id(of: number))
        } else {
            for event in page.events where event.revision > place {
                book.note(number, told: event.revision, of: page.scope)
                tally.count(event.message)
                guard send(bytes(of: event, in: page.scope, id: book.id(of: number)), to: number) else { return }
            }
            if page.isComplete, page.newest > place {
                book.note(number, told: page.newest, of: page.scope, isNews: false)
            }
        }
        endIfDone(number)
    }

    private mutating func bytes(of event: (revision: Int64, message: Message), in scope: StreamScope, id: EventID)
        -> [UInt8]
    {
        if let last = lastBytes, last.revision == event.revision, last.scope == scope, last.id == id {
            return last.bytes
        }
        let bytes = event.message.bytes(id: id)
        lastBytes = (event.revision, scope, id, bytes)
        return bytes
    }

    private mutating func endIfDone(_ number: Int) {
        guard let stream = book.streams[number], stream.endsAfterNews, stream.hasNews, !stream.isBlocked,
            book.isUpToDate(number)
        else { return }
        answered(number)
    }

    // MARK: Time

    /// Does what is due: pings, and the ends of tokens, long polls and readers that make no room.
    ///
    /// - Parameter time: the time of day, in milliseconds since 1970.
    mutating func tick(now: ContinuousClock.Instant, time: Int64) {
        if nextCheck <= now {
            nextCheck = now + Self.checkInterval
            book.noteSilence()
        }
        for number in timetable.due(at: now) {
            guard let outlet = outlets[number], let audience = book.streams[number]?.audience else { continue }
            if let since = outlet.blockedSince, now - since >= Self.patience {
                tally.count(.slow)
                remove(number)
                continue
            }
            if let expiresAt = audience.expiresAt, expiresAt <= time {
                end(number, .tokenExpired)
                continue
            }
            if let end = outlet.end, end <= now {
                send(
                    .ping(at: book.id(of: number), tokenExpiresIn: audience.tokenExpiresIn(at: time)), to: number,
                    id: nil)
                answered(number)
                continue
            }
            if outlet.nextPing <= now {
                outlets[number]?.nextPing = now + Self.pingInterval
                send(
                    .ping(at: book.id(of: number), tokenExpiresIn: audience.tokenExpiresIn(at: time)), to: number,
                    id: nil)
            }
            // Where a look at a blocked stream came first, its regular entry is still there.
            if outlet.nextLook <= now { schedule(number, now: now, time: time) }
        }
    }

    private mutating func schedule(_ number: Int, now: ContinuousClock.Instant, time: Int64) {
        guard let outlet = outlets[number] else { return }
        var next = outlet.nextPing
        if let end = outlet.end { next = min(next, end) }
        if let expiresAt = book.streams[number]?.audience.expiresAt {
            next = min(next, now + .milliseconds(max(0, expiresAt - time)))
        }
        outlets[number]?.nextLook = next
        timetable.add(number, at: next)
    }
}
