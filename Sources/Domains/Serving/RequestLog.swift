internal import AlmanacJSON
internal import AlmanacPOSIX

/// Writes lines about requests: who asked for what is not in them, only which route answered how, and how fast.
struct RequestLog {
    private let extent: ServerSettings.LoggedRequests

    /// A request that takes at least this long is a problem, in nanoseconds.
    private static let patience = 1_000_000_000

    init(_ extent: ServerSettings.LoggedRequests) {
        self.extent = extent
    }

    /// Writes the line of a request, if it is one of those that are wanted.
    func write(_ record: RequestRecord) {
        guard extent == .all || record.status >= 500 || record.nanoseconds >= Self.patience else { return }
        Log.write(record.status >= 500 ? "error" : "info", "request") { writer in
            func text(_ name: String, _ value: String?) {
                guard let value else { return }
                writer.name(name)
                writer.string(value)
            }
            text("request", record.id)
            text("environment", record.environment)
            text("route", record.route)
            text("method", record.method)
            writer.name("status")
            writer.integer(Int64(record.status))
            writer.name("milliseconds")
            writer.raw(Self.milliseconds(record.nanoseconds))
            writer.name("database_milliseconds")
            writer.raw(Self.milliseconds(record.databaseNanoseconds))
            text("problem", record.problem)
            text("reason", record.reason)
        }
    }

    /// With three digits behind the point.
    private static func milliseconds(_ nanoseconds: Int) -> String {
        let microseconds = "\(nanoseconds / 1000 % 1000)"
        return "\(nanoseconds / 1_000_000).\(String(repeating: "0", count: 3 - microseconds.utf8.count))\(microseconds)"
    }
}
