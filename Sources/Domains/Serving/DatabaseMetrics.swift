public import AlmanacEnvironments
public import AlmanacMetrics
public import AlmanacPostgreSQL

extension Metric {
    static let databaseConnections = Metric(
        .gauge, "almanac_database_connections", by: ["environment", "state"],
        "Connections for requests that are open, used or idle.")
    static let databaseConnectionsLimit = Metric(
        .gauge, "almanac_database_connections_limit", by: ["environment"],
        "Maximum number of connections for requests.")
    static let databaseTimeouts = Metric(
        .counter, "almanac_database_timeouts_total", by: ["environment"],
        "Requests that were refused because no connection became free in time.")
    static let notifications = Metric(
        .counter, "almanac_notifications_total", by: ["environment", "direction"],
        "Notifications of changes sent or received through the database.")
    static let notificationFailures = Metric(
        .counter, "almanac_notification_failures_total", by: ["environment"],
        "Failed attempts to send notifications; the attempts are repeated.")
    static let listenerDisconnects = Metric(
        .counter, "almanac_listener_disconnects_total", by: ["environment"],
        "Number of times that the connection for notifications was lost or could not be opened.")
}

extension Exposition {
    public mutating func add(_ pool: Pool, of environment: EnvironmentName) {
        let usage = pool.usage
        add(.databaseConnections, [environment.text, "idle"], Double(usage.idle))
        add(.databaseConnections, [environment.text, "used"], Double(usage.open - usage.idle))
        add(.databaseConnectionsLimit, [environment.text], Double(usage.size))
        add(.databaseTimeouts, [environment.text], Double(pool.timeouts))
    }

    public mutating func add(_ notifier: Notifier, of environment: EnvironmentName) {
        let counts = notifier.counts
        add(.notifications, [environment.text, "sent"], Double(counts.sent))
        add(.notificationFailures, [environment.text], Double(counts.failures))
    }

    public mutating func add(_ subscription: Subscription, of environment: EnvironmentName) {
        let counts = subscription.counts
        add(.notifications, [environment.text, "received"], Double(counts.received))
        add(.listenerDisconnects, [environment.text], Double(counts.disconnections))
    }
}
