public import AlmanacClientRuntime
public import AlmanacJSON

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A watch on an environment's config: the event stream announces changes, and deltas contain them.
///
/// Lost events are harmless, because after every connection a delta fetches all missed changes.
public actor ConfigWatch {
    public enum Update: Sendable {
        /// The stream is open, so changes are reported at once from now on.
        case connected(cursor: String)
        /// The changes as entries and tombstones, sorted by key.
        case changed(revision: Int64, version: String, entries: [JSONObject])
        /// The complete config, because the server's history was replaced or does not reach back far enough.
        case replaced(revision: Int64, version: String, entries: [JSONObject])
        /// The stream is interrupted; the watch reconnects.
        case interrupted(reason: String, wait: Duration)
    }

    /// The reason for a stream's end, and the server's `Retry-After`.
    private struct CloseReason {
        var text: String
        var retryAfter: Duration?
    }

    private let remote: RemoteEnvironment
    private let transport: any ClientTransport
    private let clock: any ClientClock
    private let random: any RandomSource
    private let report: @Sendable (Update) throws -> Void
    private var cursor: String?
    private var lastEventID = ""
    private var backoff = Backoff(minDelay: .seconds(1), maxDelay: .seconds(60))

    /// The longest time without a byte. The server pings every 20 s.
    private static let idleTimeout = Duration.seconds(60)
    private static let timeout = Duration.seconds(30)

    /// - Parameters:
    ///   - cursor: the last known cursor; nil begins with the present.
    ///   - transport: the transport; nil for HTTP with the certificate authorities of the environment's profile.
    ///   - report: receives every update; an error that it throws ends the watch.
    public init(
        _ remote: RemoteEnvironment, since cursor: String?, transport: (any ClientTransport)? = nil,
        clock: any ClientClock = SystemClientClock(), random: any RandomSource = SystemRandomSource(),
        report: @escaping @Sendable (Update) throws -> Void
    ) {
        self.remote = remote
        self.cursor = cursor
        self.transport = transport ?? AlmanacHTTPTransport(caFile: remote.caFile.map { URL(fileURLWithPath: $0) })
        self.clock = clock
        self.random = random
        self.report = report
    }

    /// Watches until an error occurs that a retry can't resolve.
    public func run() async throws -> Never {
        while true {
            var reason = CloseReason(text: "")
            do {
                if cursor == nil { cursor = try await newestCursor() }
                reason = try await follow()
            } catch let failure as CallFailure where failure.kind == .unreachable || failure.kind == .refused {
                reason = CloseReason(text: failure.description, retryAfter: failure.retryAfter)
            }
            let wait = backoff.next(retryAfter: reason.retryAfter, random: random)
            try report(.interrupted(reason: reason.text, wait: wait))
            try await clock.sleep(for: wait)
        }
    }

    /// Reads one stream to its end.
    private func follow() async throws -> CloseReason {
        var request = EventStreamReader.request(remote.request("GET", ["events"]), resumingAfter: lastEventID)
        request.byteLimit = nil
        let response = try await open(request)
        guard response.status == 200 else { throw refusal(try await whole(response)) }
        do {
            var reader = try EventStreamReader(
                response, resumingAfter: lastEventID, idleTimeout: Self.idleTimeout, clock: clock)
            var reason = CloseReason(text: "the stream ended")
            while let event = try await reader.next() {
                if let closing = try await receive(event) { reason = closing }
                lastEventID = reader.lastEventID
            }
            reason.retryAfter = reason.retryAfter ?? reader.retry
            return reason
        } catch let failure as EventStreamFailure {
            throw CallFailure(.unreachable, "\(remote.base): \(failure)")
        }
    }

    /// Handles an event. Returns the reason if the server announces the end of the stream.
    private func receive(_ event: ServerSentEvent) async throws -> CloseReason? {
        guard let message = try? JSONValue(parsing: event.data).objectValue else { return nil }
        switch message["type"]?.stringValue {
        case "hello":
            backoff.reset()
            try report(.connected(cursor: cursor ?? ""))
            try await catchUp(to: message["config"]?.stringValue)
        case "refetchEvaluation":
            // Clients wait for a random time, so that they do not all fetch at once.
            try await clock.sleep(for: moment(within: message))
            try await catchUp(to: message["etag"]?.stringValue?.filter { $0 != "\"" })
        case "ping": try await catchUp(to: message["config"]?.stringValue)
        case "resync": try await catchUp(to: nil)
        case "bye":
            let reason = message["reason"]?.stringValue ?? ""
            return CloseReason(text: "the server closed the stream: \(reason)", retryAfter: moment(within: message))
        default: break
        }
        return nil
    }

    /// Returns a random part of the spread that the server requests, limited to a minute.
    private func moment(within message: JSONObject) -> Duration {
        let spread = message["spreadMs"]?.numberValue?.int64 ?? 0
        return .milliseconds(min(max(spread, 0), 60_000)) * random.fraction
    }

    /// Fetches the changes since the cursor.
    ///
    /// - Parameter newest: the server's current cursor; nothing is fetched if it equals the known cursor.
    private func catchUp(to newest: String?) async throws {
        if let newest, let cursor, newest.utf8.elementsEqual(cursor.utf8) { return }
        let response = try await send(
            remote.request(
                "GET", ["config"], query: [("since", cursor ?? "0")],
                headers: newest.map { [("Almanac-Min-Revision", $0)] } ?? []))
        let head = try head(of: response)
        let version = response.headers["Almanac-Version"] ?? ""
        let entries = try response.list()
        cursor = head.cursor
        if response.headers["Almanac-Full"] == "true" {
            try report(.replaced(revision: head.revision, version: version, entries: entries))
        } else if !entries.isEmpty {
            try report(.changed(revision: head.revision, version: version, entries: entries))
        }
    }

    private func newestCursor() async throws -> String {
        try head(of: await send(remote.request("GET", ["config"], query: [("since", "0")]))).cursor
    }

    private func head(of response: TransportResponse<[UInt8]>) throws(CallFailure) -> (cursor: String, revision: Int64)
    {
        guard let cursor = response.headers["Almanac-Cursor"],
            let revision = response.headers["Almanac-Revision"].flatMap({ Int64($0) })
        else { throw .unexpected }
        return (cursor, revision)
    }
}

/// Requests over the watch's transport.
extension ConfigWatch {
    private func open(_ request: TransportRequest) async throws(CallFailure) -> TransportResponse<ByteStream> {
        do { return try await transport.open(request) } catch { throw unreachable(error) }
    }

    private func send(_ request: TransportRequest) async throws(CallFailure) -> TransportResponse<[UInt8]> {
        var request = request
        request.timeout = Self.timeout
        let response = try await whole(open(request))
        guard response.isSuccess else { throw refusal(response) }
        return response
    }

    private func whole(
        _ response: TransportResponse<ByteStream>
    ) async throws(CallFailure) -> TransportResponse<[UInt8]> {
        do { return try await response.whole(limit: RemoteEnvironment.byteLimit) } catch { throw unreachable(error) }
    }

    private func refusal(_ response: TransportResponse<[UInt8]>) -> CallFailure {
        var failure = remote.refusal(response)
        failure.retryAfter = response.retryAfter(now: clock.date)
        return failure
    }

    private func unreachable(_ failure: TransportFailure) -> CallFailure {
        CallFailure(.unreachable, "\(remote.base): \(failure)")
    }
}
