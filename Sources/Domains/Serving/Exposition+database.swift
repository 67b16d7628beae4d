public import AlmanacEnvironments
public import AlmanacMetrics
public import AlmanacPostgreSQL

/// What every environment shows of its connections to the database.
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
