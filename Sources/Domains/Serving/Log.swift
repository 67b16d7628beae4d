internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTimestamps
internal import Synchronization

/// The log on standard error, with one JSON object per line. Tokens and values are never logged.
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

    /// Writes one line. The closure writes further members of the object.
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

/// The log of requests. A line has the route, the result and the duration, but not the sender or the content.
final class RequestLog: Sendable {
    private let loggedRequests: ServerSettings.LoggedRequests
    private let clock: ServerClock
    private let callerFaultLimit = Mutex(LineLimit())

    /// The duration from which a request counts as a problem, in nanoseconds.
    private static let slowNanoseconds = 1_000_000_000

    init(_ loggedRequests: ServerSettings.LoggedRequests, clock: ServerClock = .system) {
        self.loggedRequests = loggedRequests
        self.clock = clock
    }

    /// Writes the line of a request, if the settings include it.
    func write(_ record: RequestRecord) {
        var unlogged = 0
        if loggedRequests == .problems {
            guard record.status >= 500 || record.nanoseconds >= Self.slowNanoseconds else { return }
            if record.problem.flatMap(ProblemKind.init(rawValue:))?.isCallerFault == true {
                guard let count = callerFaultLimit.withLock({ $0.admit(at: clock.now()) }) else { return }
                unlogged = count
            }
        }
        Log.write(record.status >= 500 ? "error" : "info", "request") { writer in
            func member(_ name: String, _ value: String?) { if let value { writer.member(name, value) } }
            member("request", record.id)
            member("environment", record.environment)
            member("route", record.route)
            member("method", record.method)
            writer.member("status", Int64(record.status))
            writer.member("milliseconds", raw: Self.milliseconds(record.nanoseconds))
            writer.member("database_milliseconds", raw: Self.milliseconds(record.databaseNanoseconds))
            member("problem", record.problem)
            member("reason", record.reason)
            if unlogged > 0 { writer.member("unlogged", Int64(unlogged)) }
        }
    }

    /// Formats milliseconds with three decimals.
    private static func milliseconds(_ nanoseconds: Int) -> String {
        let microseconds = "\(nanoseconds / 1000 % 1000)"
        return "\(nanoseconds / 1_000_000).\(String(repeating: "0", count: 3 - microseconds.utf8.count))\(microseconds)"
    }
}

/// A limit on the log lines that strangers can cause; a value without a clock.
struct LineLimit {
    private var minute: ContinuousClock.Instant?
    private var lines = 0
    private var unlogged = 0

    static let linesPerMinute = 10

    /// Counts a line and returns the number of lines left out since the last one, or nil to leave out this line too.
    mutating func admit(at now: ContinuousClock.Instant) -> Int? {
        if minute.map({ now - $0 >= .seconds(60) }) ?? true {
            minute = now
            lines = 0
        }
        guard lines < Self.linesPerMinute else {
            unlogged += 1
            return nil
        }
        lines += 1
        defer { unlogged = 0 }
        return unlogged
    }
}

/// A log of events that strangers can cause, with a limit per minute.
final class LimitedLog: Sendable {
    private let limit = Mutex(LineLimit())

    /// Writes a line, unless the minute's limit is reached.
    func write(_ message: String, _ reason: String) {
        guard let unlogged = limit.withLock({ $0.admit(at: .now) }) else { return }
        Log.error(message, ("reason", reason), ("unlogged", "\(unlogged)"))
    }
}
