/// A failure to open an event stream, or its end before the server closed it.
package enum EventStreamFailure: Error, Equatable, CustomStringConvertible {
    /// The server responded with a status other than 200.
    case refused(status: Int, retryAfter: Duration?)
    /// The response has this content type instead of `text/event-stream`.
    case unexpectedType(String)
    /// No byte arrived for this long; a proxy may buffer the stream.
    case silent(Duration)
    /// An event exceeds this limit, in bytes.
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

/// A reader of one event stream that fails after a time without a byte.
///
/// To resume, the caller opens the next stream with ``lastEventID``, the id of the last event that ``next()`` returned.
package struct EventStreamReader: Sendable {
    /// The longest time between two parts of the stream. The caller's own work between two events does not count.
    package var idleTimeout: Duration

    private let body: ByteStream
    private let clock: any ClientClock
    private var parser: EventStreamParser
    /// Events that have arrived and that ``next()`` has not returned yet.
    private var events: ArraySlice<ServerSentEvent> = []
    private var lastTakenID: String

    /// Opens a stream.
    ///
    /// - Parameters:
    ///   - request: the request, to which the headers `Accept` and `Last-Event-ID` are added.
    ///   - lastEventID: the last id of the earlier stream to resume; empty begins a new stream now.
    ///   - idleTimeout: the longest time without a byte, also before the response's head.
    package static func open(
        _ request: TransportRequest, over transport: any ClientTransport, resumingAfter lastEventID: String = "",
        idleTimeout: Duration, clock: any ClientClock
    ) async throws(EventStreamFailure) -> EventStreamReader {
        let request = Self.request(request, resumingAfter: lastEventID)
        let response = try await clock.within(idleTimeout) { () async throws(TransportFailure) in
            try await transport.open(request)
        }
        return try EventStreamReader(response, resumingAfter: lastEventID, idleTimeout: idleTimeout, clock: clock)
    }

    /// Returns a stream's request, for a caller that opens the stream itself.
    package static func request(_ request: TransportRequest, resumingAfter lastEventID: String) -> TransportRequest {
        var request = request
        request.headers.append((name: "Accept", value: "text/event-stream"))
        if !lastEventID.isEmpty { request.headers.append((name: "Last-Event-ID", value: lastEventID)) }
        return request
    }

    /// Creates a reader of an open response.
    package init(
        _ response: TransportResponse<ByteStream>, resumingAfter lastEventID: String = "", idleTimeout: Duration,
        clock: any ClientClock
    ) throws(EventStreamFailure) {
        guard response.status == 200 else {
            throw .refused(status: response.status, retryAfter: response.retryAfter(now: clock.date))
        }
        let type = response.headers["Content-Type"] ?? ""
        guard type.lowercased().hasPrefix("text/event-stream") else { throw .unexpectedType(type) }
        self.idleTimeout = idleTimeout
        self.clock = clock
        body = response.body
        parser = EventStreamParser(lastEventID: lastEventID)
        lastTakenID = lastEventID
    }

    /// The id of the last event that ``next()`` returned; empty if there was none.
    package var lastEventID: String { events.isEmpty ? parser.lastEventID : lastTakenID }

    /// The reconnect delay from the stream's `retry` field; nil if there was none.
    package var retry: Duration? { parser.retry }

    /// Waits for the next event. Returns nil if the server has closed the stream.
    package mutating func next() async throws(EventStreamFailure) -> ServerSentEvent? {
        while true {
            if let event = events.popFirst() {
                lastTakenID = event.lastEventID
                return event
            }
            let body = body
            let part = try await clock.within(idleTimeout) { () async throws in
                // Iterators of a stream share its buffer, and only one iterator exists at a time.
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
    /// Runs an operation, and throws after the idle timeout or if the task is cancelled.
    fileprivate func within<Result: Sendable>(
        _ idleTimeout: Duration, _ work: @escaping @Sendable () async throws -> Result
    ) async throws(EventStreamFailure) -> Result {
        do {
            let result = try await withTimeout(idleTimeout, work)
            // A stream ends early in a cancelled task.
            try Task.checkCancellation()
            return result
        } catch TransportFailure.timedOut {
            throw .silent(idleTimeout)
        } catch is CancellationError {
            throw .broken(.cancelled)
        } catch {
            throw .broken(error as? TransportFailure ?? .unreachable("\(error)"))
        }
    }
}
