internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// What is kept of one request for metrics and log: nothing that its sender chose, except for its method if it is known.
struct RequestRecord {
    /// The id that nginx gave it.
    let id: String
    let method: String
    /// The environment that it was for; nil when there is no such environment, or the path names none.
    var environment: String?
    /// The pattern of the route that answered it: `/{environment}/config/{key}`; nil when no route did.
    var route: String?
    var status = 0
    /// The kind of the problem that it was answered with.
    var problem: String?
    /// What an operator should know about why it failed.
    var reason: String?
    private(set) var nanoseconds = 0
    private(set) var databaseNanoseconds = 0

    /// Begins to measure the time.
    init(method: String, id: String) {
        self.id = id
        self.method = Self.methods.contains(method) ? method : "other"
        nanoseconds = MonotonicClock.nanoseconds
        databaseNanoseconds = DatabaseTime.nanoseconds
    }

    /// Ends the measuring; called on the thread that began it.
    mutating func end() {
        nanoseconds = MonotonicClock.nanoseconds - nanoseconds
        databaseNanoseconds = DatabaseTime.nanoseconds - databaseNanoseconds
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
}
