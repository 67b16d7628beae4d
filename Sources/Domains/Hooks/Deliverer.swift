public import AlmanacEnvironments
internal import AlmanacHTTPSClient
internal import AlmanacJSON
public import AlmanacMetrics
internal import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacProposals
internal import AlmanacTimestamps
internal import AlmanacTransport
internal import AlmanacWebhooks
internal import Synchronization

extension Metric {
    static let hooksDisabled = Metric(
        .gauge, "almanac_hooks_disabled", by: ["environment"],
        "Number of disabled hooks, which send nothing.")

    public static let ofHooks: [Metric] = [hooksDisabled]
}

/// The sender of an environment's deliveries.
public final class Deliverer: MetricSource {
    private let settings: EnvironmentSettings
    private let pool: Pool
    /// The number of disabled hooks when nothing was due last.
    private let disabledHooks = Atomic<Int64>(0)

    public init(_ settings: EnvironmentSettings, pool: Pool) {
        self.settings = settings
        self.pool = pool
    }

    /// The channel that announces new deliveries after their commit.
    public static let channel = "almanac_hooks"
    /// The time between two looks for due deliveries, in case that an announcement was lost.
    public static let interval = Duration.seconds(5)

    /// Sends the next due delivery. Returns false if nothing is due.
    ///
    /// The request runs outside any transaction. If the process dies, the lease ends, and another attempt follows.
    public func step() throws -> Bool {
        let leased = try pool.withConnection { connection -> (Delivery, [HookEvent.Change])? in
            guard let delivery = try Outbox.lease(on: connection) else { return nil }
            return (delivery, try Outbox.changes(of: delivery, on: connection))
        }
        guard let (delivery, changes) = leased else {
            disabledHooks.store(
                try pool.withConnection { try $0.run(Call(HookStatements.disabled)).single("hooks").bigint("count") },
                ordering: .relaxed)
            return false
        }
        let start = MonotonicClock.nanoseconds
        let answer = send(delivery, delivery.event(changes, in: settings.name.text, console: settings.consoleOrigin))
        let outcome = DeliveryOutcome(
            status: answer?.status, attempts: delivery.attempts, retryAfter: answer.flatMap(Self.retryAfter),
            jitter: .random(in: 0...1))
        try pool.withConnection { connection in
            try Outbox.finish(
                delivery, status: answer?.status,
                milliseconds: (MonotonicClock.nanoseconds - start) / 1_000_000, outcome, on: connection)
        }
        return true
    }

    /// Adds the events of proposals and tokens that end soon, and deletes old deliveries. Returns true if there may be
    /// more to delete.
    public func tidy() throws -> Bool {
        try pool.withConnection { connection in
            try connection.run(Outbox.expiring(proposalsAfterDays: settings.approvals?.expiryDays))
            return try Outbox.trim(on: connection)
        }
    }

    public func write(to exposition: inout Exposition) {
        exposition.add(.hooksDisabled, [settings.name.text], Double(disabledHooks.load(ordering: .relaxed)))
    }

    private func send(_ delivery: Delivery, _ event: HookEvent) -> TransportResponse<Void>? {
        // The environments file may allow less than it did when the hook was made.
        guard let url = try? HookURL(delivery.url, for: settings.hooks) else { return nil }
        let body = delivery.format.body(of: event, withValues: delivery.makerReadsConfig).serialized()
        let seconds = WallClock.milliseconds / 1000
        let post = CheckedPost(
            url.text,
            headers: [
                ("Content-Type", "application/json"), ("webhook-id", delivery.eventID),
                ("webhook-timestamp", String(seconds)),
                (
                    "webhook-signature",
                    WebhookSecret.signature(of: body, id: delivery.eventID, at: seconds, by: delivery.secrets)
                ),
            ], body: body)
        return try? post.send { [rules = settings.hooks] bytes in
            NetworkAddress(bytes: bytes).map { rules.permit($0, of: url.host) } ?? false
        }
    }

    /// Returns the seconds of `Retry-After`, which is a number or an HTTP date (RFC 9110 §10.2.3).
    private static func retryAfter(_ answer: TransportResponse<Void>) -> Int64? {
        guard let text = answer.headers["Retry-After"] else { return nil }
        if let seconds = Int64(text) { return seconds }
        let now = Timestamp(milliseconds: WallClock.milliseconds)
        return Timestamp(httpDate: text, now: now).map { ($0.milliseconds - now.milliseconds + 999) / 1000 }
    }
}
