internal import AlmanacPOSIX
internal import AlmanacResponseStreams
internal import AlmanacTargeting

/// The open streams of one environment, with the sinks to their readers.
///
/// Nothing here blocks. If a reader cannot accept a whole event, the stream keeps the unsent bytes and is sent no
/// further events. Missed changes are read from the database once the reader has room again.
struct StreamTable {
    var positions = StreamPositions()
    private(set) var counts = StreamCounts()
    private(set) var sinks: [Int: Sink] = [:]
    private var timers: StreamTimers
    private var flagSchedule: FlagNotifySchedule
    private let clock: ServerClock
    /// True if no stream may be opened any more.
    private(set) var isClosed = false
    /// The bytes of the last event, cached because most streams are sent the same event.
    private var lastBytes: (message: Message, id: EventID, bytes: [UInt8])?

    /// The maximum time for a reader to accept the rest of an event.
    private static let sendTimeout = Duration.seconds(30)
    private static let pingInterval = Duration.seconds(Message.pingInterval)
    /// The maximum time until a lost notification is noticed.
    private static let checkInterval = Duration.seconds(2)
    private var nextCheck: ContinuousClock.Instant

    /// - Parameter random: Returns a number from 0 to below its argument.
    init(clock: ServerClock, random: @escaping @Sendable (Int) -> Int = { Int.random(in: 0..<max(1, $0)) }) {
        self.clock = clock
        let now = clock.now()
        timers = StreamTimers(start: now)
        flagSchedule = FlagNotifySchedule(start: now, random: random)
        nextCheck = now + Self.checkInterval
    }

    // MARK: Opening and closing

    /// Opens a stream and returns its number, or nil if the stream has already ended.
    mutating func open(_ new: NewStream, on connection: ResponseStream) -> Int? {
        let number = positions.open(new.stream)
        let now = clock.now()
        sinks[number] = Sink(
            connection: connection, slot: new.slot, nextPing: now + Self.pingInterval, nextTimer: now,
            end: new.timeout.map { now + $0 })
        guard !isClosed else {
            close(number, .restarting)
            return nil
        }
        // The positions belong to a history that was replaced in the meantime, or that is not known here yet.
        guard new.head.lineage == positions.head?.lineage else {
            positions.checkAll()
            close(number, .historyReplaced)
            return nil
        }
        positions.announce(new.head.revision, in: .config, at: now)
        if let account = new.account { positions.announce(account.revision, in: .account(account.id), at: now) }
        sendHello(number, new)
        if new.timeout != nil, new.needsHello || new.needsResync { completePoll(number) }
        startTimer(number, now: now)
        return sinks[number] == nil ? nil : number
    }

    /// Sends the first events together, because a reader that has the `id` of `hello` must also have the resync.
    private mutating func sendHello(_ number: Int, _ new: NewStream) {
        let id = positions.id(of: number)
        var bytes: [UInt8] = []
        if new.needsHello {
            let expiry = new.stream.subscriber.tokenExpiresIn(at: clock.milliseconds())
            var newest = positions.newest(for: number)
            // The version of a release that is only announced is unknown; the release's own event follows.
            let head = [positions.head ?? new.head, new.head].max { $0.revision < $1.revision }
            if newest.config != nil { newest.config = head?.cursor }
            let hello = Message.hello(newest: newest, version: head?.version, tokenExpiresIn: expiry)
            counts.add(hello)
            bytes += hello.bytes(id: id)
        }
        if new.needsResync {
            let resync = Message.resync(at: id)
            counts.add(resync)
            bytes += resync.bytes(id: id)
        }
        if !bytes.isEmpty { _ = send(bytes, to: number) }
    }

    /// Sends a stream the reason and closes the stream.
    mutating func close(_ number: Int, _ reason: Message.CloseReason) {
        let isAlone = [.tokenExpired, .tokenRevoked, .personRemoved].contains(reason)
        let spread = isAlone ? 0 : Spread.milliseconds(for: sinks.count)
        close(number, reason, spreadMs: spread)
    }

    private mutating func close(_ number: Int, _ reason: Message.CloseReason, spreadMs: Int) {
        guard sinks[number] != nil else { return }
        counts.add(reason)
        send(.bye(reason, spreadMs: spreadMs), to: number, id: nil)
        finish(number)
    }

    mutating func closeAll(_ reason: Message.CloseReason) {
        let spread = Spread.milliseconds(for: sinks.count)
        for number in Array(sinks.keys) { close(number, reason, spreadMs: spread) }
    }

    /// Closes every stream, and every stream that opens later.
    mutating func shutDown() {
        isClosed = true
        closeAll(.restarting)
    }

    /// Ends an answered long poll.
    private mutating func completePoll(_ number: Int) {
        guard sinks[number] != nil else { return }
        counts.add(.answered)
        finish(number)
    }

    /// Ends the response in a way that the reader recognizes as complete.
    private mutating func finish(_ number: Int) {
        if let sink = sinks[number], sink.unsent.isEmpty { _ = sink.connection.send(sink.connection.end[...]) }
        remove(number)
    }

    /// Removes a stream whose client disconnected.
    mutating func clientDisconnected(_ number: Int) {
        guard sinks[number] != nil else { return }
        counts.add(.disconnected)
        remove(number)
    }

    private mutating func remove(_ number: Int) {
        positions.close(number)
        sinks[number] = nil
    }

    // MARK: Sending

    /// Sends an event to a stream and returns true if the stream can accept more.
    @discardableResult private mutating func send(_ message: Message, to number: Int, id: EventID?) -> Bool {
        counts.add(message)
        return send(message.bytes(id: id), to: number)
    }

    private mutating func send(_ bytes: [UInt8], to number: Int) -> Bool {
        guard let sink = sinks[number], sink.unsent.isEmpty else { return false }
        return push(sink.connection.records(bytes)[...], to: number)
    }

    private mutating func push(_ records: ArraySlice<UInt8>, to number: Int) -> Bool {
        guard let connection = sinks[number]?.connection else { return false }
        switch connection.send(records) {
        case .all: return true
        case .partial(let count):
            // A copy of the remainder frees the memory of the sent bytes.
            sinks[number]?.unsent = Array(records.suffix(count))[...]
            if sinks[number]?.blockedSince == nil {
                let now = clock.now()
                sinks[number]?.blockedSince = now
                timers.add(number, at: now + Self.sendTimeout)
            }
            positions.setBlocked(number, true)
            return false
        case .gone:
            clientDisconnected(number)
            return false
        }
    }

    /// Continues a stream whose reader has room again.
    mutating func resume(_ number: Int) {
        guard let sink = sinks[number], !sink.unsent.isEmpty else { return }
        sinks[number]?.unsent = []
        guard push(sink.unsent, to: number) else { return }
        sinks[number]?.blockedSince = nil
        positions.setBlocked(number, false)
        sendMissedProposals(to: number)
        completeIfDone(number)
    }

    /// Sends a stream the events of a batch that come after the stream's position.
    mutating func deliver(_ batch: EventBatch, to number: Int) {
        guard let stream = positions.streams[number], !stream.isBlocked, let position = stream.position(in: batch.scope)
        else { return }
        if stream.subscriber.followsFlags, batch.scope == .config {
            scheduleNotification(number, of: batch, from: position)
            return
        }
        if position < batch.oldest {
            positions.advance(number, to: batch.newest, in: batch.scope)
            send(.resync(at: positions.id(of: number)), to: number, id: positions.id(of: number))
        } else {
            for event in batch.events where event.revision > position {
                positions.advance(number, to: event.revision, in: batch.scope)
                let hidden = stream.subscriber.seesFlags ? nil : batch.withoutFlags[event.revision]
                let message = hidden ?? event.message
                counts.add(message)
                guard send(bytes(of: message, id: positions.id(of: number)), to: number) else { return }
            }
            if batch.isComplete, batch.newest > position {
                positions.advance(number, to: batch.newest, in: batch.scope, isChange: false)
            }
        }
        completeIfDone(number)
    }

    /// Tells the readers who may see proposals that one changed. A long poll ends with a change of a history only.
    mutating func announce(proposal: Int64) {
        let message = Message.proposalChanged(proposal)
        for (number, stream) in positions.streams where stream.followsProposals {
            if stream.isBlocked {
                sinks[number]?.missedProposals.insert(proposal)
            } else {
                send(message, to: number, id: nil)
            }
        }
    }

    private mutating func sendMissedProposals(to number: Int) {
        while let proposal = sinks[number]?.missedProposals.popFirst() {
            guard send(.proposalChanged(proposal), to: number, id: nil) else { return }
        }
    }

    private mutating func bytes(of message: Message, id: EventID) -> [UInt8] {
        if let last = lastBytes, last.id == id, last.message == message { return last.bytes }
        let bytes = message.bytes(id: id)
        lastBytes = (message, id, bytes)
        return bytes
    }

    private mutating func completeIfDone(_ number: Int) {
        guard let stream = positions.streams[number], stream.endsAfterChange, stream.hasChange, !stream.isBlocked,
            positions.isUpToDate(number)
        else { return }
        completePoll(number)
    }

    // MARK: Time

    /// Runs what is due: pings, and the ends of tokens, long polls and blocked streams.
    mutating func tick() {
        let (now, time) = (clock.now(), clock.milliseconds())
        if nextCheck <= now {
            nextCheck = now + Self.checkInterval
            positions.checkAll()
        }
        notifyDue(now, time / 1000)
        for number in timers.removeDue(at: now) {
            guard let sink = sinks[number], let subscriber = positions.streams[number]?.subscriber else { continue }
            if let since = sink.blockedSince, now - since >= Self.sendTimeout {
                counts.add(.timedOut)
                remove(number)
                continue
            }
            if let expiresAt = subscriber.expiresAt, expiresAt <= time {
                close(number, .tokenExpired)
                continue
            }
            if let end = sink.end, end <= now {
                ping(number, subscriber.tokenExpiresIn(at: time))
                completePoll(number)
                continue
            }
            if sink.nextPing <= now {
                sinks[number]?.nextPing = now + Self.pingInterval
                ping(number, subscriber.tokenExpiresIn(at: time))
            }
            // If the timer of a blocked stream came first, the regular timer is still pending.
            if sink.nextTimer <= now { startTimer(number, now: now) }
        }
    }

    private mutating func ping(_ number: Int, _ tokenExpiresIn: Int64?) {
        send(.ping(at: positions.id(of: number), tokenExpiresIn: tokenExpiresIn), to: number, id: nil)
    }

    private mutating func startTimer(_ number: Int, now: ContinuousClock.Instant) {
        guard let sink = sinks[number] else { return }
        var next = sink.nextPing
        if let end = sink.end { next = min(next, end) }
        if let expiresAt = positions.streams[number]?.subscriber.expiresAt {
            next = min(next, now + .milliseconds(max(0, expiresAt - clock.milliseconds())))
        }
        sinks[number]?.nextTimer = next
        timers.add(number, at: next)
    }
}

// MARK: Streams about flags

extension StreamTable {
    /// Schedules a stream's notification of a batch of releases, but skips releases that change no flag.
    private mutating func scheduleNotification(_ number: Int, of batch: EventBatch, from position: Int64) {
        if let change = batch.flagChange, change.revision > position || position < batch.oldest {
            flagSchedule.recordChange(at: change.seconds)
        } else if position >= batch.oldest {
            let newest = batch.isComplete ? batch.newest : batch.events.last?.revision ?? position
            if newest > position { positions.advance(number, to: newest, in: .config, isChange: false) }
            return
        }
        scheduleNotification(number)
    }

    /// Returns the time until the next notification about flags, up to a limit.
    func pause(upTo limit: Duration) -> Duration {
        guard let next = flagSchedule.next else { return limit }
        return min(limit, max(.milliseconds(1), next - clock.now()))
    }

    /// True if a future time is known at which time alone changes evaluations.
    var hasScheduledChange: Bool { flagSchedule.hasScheduledChange }

    /// Sets the times at which evaluations change.
    mutating func set(_ schedule: FlagSchedule) { flagSchedule.set(schedule, at: clock.milliseconds() / 1000) }

    /// Schedules a notification of the newest state, or sends it at once if there are few streams.
    private mutating func scheduleNotification(_ number: Int) {
        guard positions.streams[number]?.isScheduled == false else { return }
        positions.setScheduled(number, true)
        let spread = Spread.milliseconds(for: positions.followersOfFlags.count)
        if spread > 0 { flagSchedule.add(number, within: spread, from: clock.now()) } else { notify(number) }
    }

    /// Sends the due notifications, and schedules all streams if time alone changed evaluations.
    private mutating func notifyDue(_ now: ContinuousClock.Instant, _ seconds: Int64) {
        if flagSchedule.applyDueChange(at: seconds) {
            for number in positions.followersOfFlags { scheduleNotification(number) }
        }
        for number in flagSchedule.removeDue(at: now) { notify(number) }
    }

    /// Notifies a stream that flags changed, with the newest state.
    private mutating func notify(_ number: Int) {
        guard let stream = positions.streams[number], let head = positions.head else { return }
        guard !stream.isBlocked else {
            flagSchedule.add(number, within: 1000, from: clock.now() + Self.blockedPause)
            return
        }
        positions.setScheduled(number, false)
        if head.revision > stream.config ?? 0 { positions.advance(number, to: head.revision, in: .config) }
        // The schedule has already spread the clients, so the event asks for no further delay.
        let message = Message.refetch(
            head.cursor, version: head.version, changedAt: flagSchedule.changedAt, spreadMs: 0)
        counts.add(message)
        guard send(bytes(of: message, id: positions.id(of: number)), to: number) else { return }
        if stream.endsAfterChange { completePoll(number) }
    }

    private static var blockedPause: Duration { .seconds(1) }
}

/// The connection to one stream's reader.
struct Sink {
    let connection: ResponseStream
    /// The slot, given back when the stream ends.
    let slot: StreamSlot?
    /// The bytes of the last event that the web server did not accept; at most one event.
    var unsent: ArraySlice<UInt8> = []
    /// The proposals that changed while the reader accepted no bytes.
    var missedProposals: Set<Int64> = []
    /// The time since which the reader accepts no bytes; nil if it does.
    var blockedSince: ContinuousClock.Instant?
    var nextPing: ContinuousClock.Instant
    /// The time of the regular timer.
    var nextTimer: ContinuousClock.Instant
    /// The timeout of a long poll; nil for other streams.
    let end: ContinuousClock.Instant?
}

/// The changes of a history after one position, as events.
struct EventBatch {
    let scope: StreamScope
    /// The events, sorted by revision.
    let events: [(revision: Int64, message: Message)]
    /// True if the batch contains all changes after the position.
    let isComplete: Bool
    /// The newest revision at the time of the read.
    let newest: Int64
    /// The oldest revision from which all later changes are stored.
    let oldest: Int64
    /// The events of releases that change flags, in the version for readers who may not see flags.
    var withoutFlags: [Int64: Message] = [:]
    /// The newest release that changes flags, with its time in seconds since 1970.
    var flagChange: (revision: Int64, seconds: Int64)?
}
