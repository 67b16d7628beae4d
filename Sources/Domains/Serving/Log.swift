internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTimestamps
internal import Synchronization

/// The log: one JSON object a line on standard error. No tokens, no values.
public enum Log {
    public static func info(_ message: String, _ fields: (name: String, value: String)...) {
        write("info", message, fields)
    }

    public static func error(_ message: String, _ fields: (name: String, value: String)...) {
        write("error", message, fields)
    }

    private static func write(_ level: String, _ message: String, _ fields: [(name: String, value: String)]) {
        write(level, message) { writer in
            for field in fields { writer.member(field.name, field.value) }
        }
    }

    /// Writes one line.
    ///
    /// - Parameter members: writes what else is in the object.
    fileprivate static func write(_ level: String, _ message: String, _ members: (inout JSONWriter) -> Void) {
        let line = JSONWriter.object(capacity: 512) { writer in
            writer.member("time", "\(Timestamp(milliseconds: WallClock.milliseconds))")
            writer.member("level", level)
            writer.member("message", message)
            members(&writer)
        }
        Process.report(String(decoding: line, as: UTF8.self))
    }
}

/// Writes lines about requests: not who sent them or for what, only which route answered how, and how fast.
struct RequestLog {
    private let extent: ServerSettings.LoggedRequests

    /// A request that takes at least this long is a problem, in nanoseconds.
    private static let slow = 1_000_000_000

    init(_ extent: ServerSettings.LoggedRequests) {
        self.extent = extent
    }

    /// Writes the line of a request, if it is one of those that are wanted.
    func write(_ record: RequestRecord) {
        guard extent == .all || record.status >= 500 || record.nanoseconds >= Self.slow else { return }
        Log.write(record.status >= 500 ? "error" : "info", "request") { writer in
            func member(_ name: String, _ value: String?) {
                if let value { writer.member(name, value) }
            }
            member("request", record.id)
            member("environment", record.environment)
            member("route", record.route)
            member("method", record.method)
            writer.member("status", Int64(record.status))
            writer.member("milliseconds", raw: Self.milliseconds(record.nanoseconds))
            writer.member("database_milliseconds", raw: Self.milliseconds(record.databaseNanoseconds))
            member("problem", record.problem)
            member("reason", record.reason)
        }
    }

    /// With three digits behind the point.
    private static func milliseconds(_ nanoseconds: Int) -> String {
        let microseconds = "\(nanoseconds / 1000 % 1000)"
        return "\(nanoseconds / 1_000_000).\(String(repeating: "0", count: 3 - microseconds.utf8.count))\(microseconds)"
    }
}

/// Writes lines about what strangers can cause, a few of many.
final class LimitedLog: Sendable {
    /// How many lines were left out since the last one, and when that was.
    private let state = Mutex<(leftOut: Int, last: ContinuousClock.Instant?)>((0, nil))

    private static let interval = Duration.seconds(10)

    /// Writes a line, unless there was one shortly before.
    func write(_ message: String, _ reason: String) {
        let leftOut = state.withLock { state -> Int? in
            if let last = state.last, .now - last < Self.interval {
                state.leftOut += 1
                return nil
            }
            defer { state = (0, .now) }
            return state.leftOut
        }
        if let leftOut { Log.error(message, ("reason", reason), ("left_out", "\(leftOut)")) }
    }
}
