/// Why a stream of events can't be had, or has ended before the server closed it.
package enum EventStreamFailure: Error, Equatable, CustomStringConvertible {
    /// The server answered with another status than 200.
    case refused(status: Int, retryAfter: Duration?)
    /// The response is no stream of events but of this type.
    case unexpectedType(String)
    /// Nothing came for so long; something on the way may keep the stream back.
    case silent(Duration)
    /// An event is longer than this, in bytes.
    case tooLong(limit: Int)
    case broken(TransportFailure)

    package var description: String {
        switch self {
        case .refused(let status, _): "the stream was refused with the status \(status)"
        case .unexpectedType(let type): "expected a stream of events instead of '\(type)'"
        case .silent(let duration): "the stream was silent for \(duration)"
        case .tooLong(let limit): "an event is longer than \(limit) bytes"
        case .broken(let failure): "\(failure)"
        }
    }
}

/// Reads one stream of events, and gives it up when it is silent for too long.
///
/// To resume, the next stream is opened with ``lastEventID``, which names the last event that was taken here.
package struct EventStreamReader: Sendable {
    /// How long nothing may arrive. Time that the reader of the events takes for them does not count.
    package var silence: Duration

    private let body: ByteStream
    private let clock: any ClientClock
    private var parser: EventStreamParser
    /// Events that have arrived and wait to be taken.
    private var events: ArraySlice<ServerSentEvent> = []
    private var lastTakenID: String

    /// Asks a server for a stream.
    ///
    /// - Parameters:
    ///   - request: gets the headers `Accept` and `Last-Event-ID`.
    ///   - lastEventID: that of an earlier stream which this one goes on from; empty begins with the present.
    ///   - silence: how long nothing may arrive, the head of the response included.
    package static func open(
        _ request: TransportRequest, over transport: any ClientTransport, resumingAfter lastEventID: String = "",
        silence: Duration, clock: any ClientClock
    ) async throws(EventStreamFailure) -> EventStreamReader {
        let request = Self.request(request, resumingAfter: lastEventID)
        let response = try await clock.within(silence) { () async throws(TransportFailure) in
            try await transport.open(request)
        }
        return try EventStreamReader(response, resumingAfter: lastEventID, silence: silence, clock: clock)
    }

    /// The request for a stream, for those who open it themselves.
    package static func request(_ request: TransportRequest, resumingAfter lastEventID: String) -> TransportRequest {
        var request = request
        request.headers.append((name: "Accept", value: "text/event-stream"))
        if !lastEventID.isEmpty { request.headers.append((name: "Last-Event-ID", value: lastEventID)) }
        return request
    }

    /// Reads a response that has begun.
    package init(
        _ response: TransportResponse<ByteStream>, resumingAfter lastEventID: String = "", silence: Duration,
        clock: any ClientClock
    ) throws(EventStreamFailure) {
        guard response.status == 200 else {
            throw .refused(status: response.status, retryAfter: response.retryAfter(now: clock.date))
        }
        let type = response.headers["Content-Type"] ?? ""
        guard type.lowercased().hasPrefix("text/event-stream") else { throw .unexpectedType(type) }
        self.silence = silence
        self.clock = clock
        body = response.body
        parser = EventStreamParser(lastEventID: lastEventID)
        lastTakenID = lastEventID
    }

    /// The id of the last event that was taken with ``next()``; empty when there was none.
    package var lastEventID: String { events.isEmpty ? parser.lastEventID : lastTakenID }

    /// How long to wait before the next stream, as the server has said; nil when it has not.
    package var retry: Duration? { parser.retry }

    /// Waits for the next event.
    ///
    /// - Returns: nil when the server has closed the stream.
    package mutating func next() async throws(EventStreamFailure) -> ServerSentEvent? {
        while true {
            if let event = events.popFirst() {
                lastTakenID = event.lastEventID
                return event
            }
            let body = body
            let part = try await clock.within(silence) { () async throws in
                // Iterators of a stream share its buffer, and here is the only one at a time.
                var iterator = body.makeAsyncIterator()
                return try await iterator.next()
            }
            guard let part else { return nil }
            do throws(EventStreamParser.TooLong) {
                events = try parser.parse(part)[...]
            } catch {
                throw .tooLong(limit: error.limit)
            }
        }
    }
}

extension ClientClock {
    /// Does some work, and gives it up after a silence or when the task is cancelled.
    fileprivate func within<Result: Sendable>(
        _ silence: Duration, _ work: @escaping @Sendable () async throws -> Result
    ) async throws(EventStreamFailure) -> Result {
        do {
            let result = try await withTimeout(silence, work)
            // A cancelled task sees a stream end early.
            try Task.checkCancellation()
            return result
        } catch TransportFailure.timedOut {
            throw .silent(silence)
        } catch is CancellationError {
            throw .broken(.cancelled)
        } catch {
            throw .broken(error as? TransportFailure ?? .unreachable("\(error)"))
        }
    }
}
