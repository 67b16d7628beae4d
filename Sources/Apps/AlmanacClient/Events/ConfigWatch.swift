internal import AlmanacHTTPSClient
public import AlmanacJSON
internal import AlmanacPOSIX

/// Follows an environment's config: the event stream says when to look, and deltas say what was changed.
///
/// Nothing depends on the stream being whole: after every connection a delta fetches what was missed.
public final class ConfigWatch {
    /// What a watcher is told.
    public enum News: Sendable {
        /// The stream is open; what is changed from now on is told at once.
        case connected(cursor: String)
        /// What was changed, as entries and tombstones, ordered by key.
        case changed(revision: Int64, version: String, entries: [JSONObject])
        /// The whole config, because the history is another one, or does not reach back far enough.
        case replaced(revision: Int64, version: String, entries: [JSONObject])
        /// There is no stream at the moment; it is tried again.
        case interrupted(reason: String, wait: Duration)
    }

    private let remote: RemoteEnvironment
    private var cursor: String?
    private var eventID = ""
    private var backoff = Backoff()
    /// Why the server ends the stream, and when it wants to see this client again.
    private var farewell: (reason: String, wait: Duration)?
    private let report: (News) throws -> Void

    /// The server pings every 20 s.
    private static let silence = Duration.seconds(60)

    /// - Parameters:
    ///   - cursor: what the watcher has seen; nil begins with the present.
    ///   - report: told of everything, on the thread that runs the watch; what it throws ends the watch.
    public init(_ remote: RemoteEnvironment, since cursor: String?, report: @escaping (News) throws -> Void) {
        self.remote = remote
        self.cursor = cursor
        self.report = report
    }

    /// Watches until something ends it that waiting doesn't help with.
    public func run() throws -> Never {
        var generator = SystemRandomNumberGenerator()
        while true {
            var (reason, least) = ("the stream ended", Duration.zero)
            farewell = nil
            do {
                if cursor == nil { cursor = try remote.cursor() }
                least = try follow()
                if let farewell { (reason, least) = ("the server said goodbye: \(farewell.reason)", farewell.wait) }
            } catch let failure as CallFailure where failure.kind == .unreachable || failure.kind == .refused {
                reason = failure.description
                least = failure.retryAfter
            }
            let wait = backoff.next(atLeast: least, using: &generator)
            try report(.interrupted(reason: reason, wait: wait))
            _ = Poll.readable([], upTo: wait)
        }
    }

    /// Reads one stream to its end.
    ///
    /// - Returns: how long the server asks to wait.
    private func follow() throws -> Duration {
        var parser = EventParser(lastID: eventID)
        var failure: (any Error)?
        try remote.stream(lastEventID: eventID, silence: Self.silence) { bytes in
            do {
                guard let events = parser.read(bytes) else { return false }
                for event in events { try self.take(event) }
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        return .milliseconds(parser.retry ?? 0)
    }

    private func take(_ event: ServerSentEvent) throws {
        guard let message = try? JSONValue(parsing: Array(event.data.utf8)).objectValue else { return }
        switch message["type"]?.stringValue {
        case "hello":
            backoff.reset()
            try report(.connected(cursor: cursor ?? ""))
            try catchUp(to: message["config"]?.stringValue)
        case "refetchEvaluation":
            // Not all clients at once.
            _ = Poll.readable([], upTo: Self.moment(within: message))
            try catchUp(to: message["etag"]?.stringValue?.filter { $0 != "\"" })
        case "ping":
            try catchUp(to: message["config"]?.stringValue)
        case "resync":
            try catchUp(to: nil)
        case "bye":
            farewell = (message["reason"]?.stringValue ?? "", Self.moment(within: message))
        default:
            break
        }
        eventID = event.id
    }

    /// A random part of the time over which the server asks its clients to spread, which is at most a minute.
    private static func moment(within message: JSONObject) -> Duration {
        let spread = message["spreadMs"]?.numberValue?.int64 ?? 0
        return .milliseconds(Int64.random(in: 0...min(max(spread, 0), 60_000)))
    }

    /// Fetches what was changed since the cursor.
    ///
    /// - Parameter newest: where the config is; when that has been seen, there is nothing to fetch.
    private func catchUp(to newest: String?) throws {
        if let newest, let cursor, newest.utf8.elementsEqual(cursor.utf8) { return }
        let delta = try remote.delta(since: cursor ?? "0", atLeast: newest)
        cursor = delta.cursor
        if delta.isFull {
            try report(.replaced(revision: delta.revision, version: delta.version, entries: delta.entries))
        } else if !delta.entries.isEmpty {
            try report(.changed(revision: delta.revision, version: delta.version, entries: delta.entries))
        }
    }
}
