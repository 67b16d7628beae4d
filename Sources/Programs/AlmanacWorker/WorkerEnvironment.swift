internal import AlmanacConfigDomain
internal import AlmanacEnvironments
internal import AlmanacFlagsDomain
internal import AlmanacHTTP
internal import AlmanacHooks
internal import AlmanacIdentity
internal import AlmanacMetrics
internal import AlmanacNotesDomain
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import AlmanacServing

/// An environment in a worker: its database connections, its cached config, and the thread that refreshes the cache.
final class WorkerEnvironment: EnvironmentService {
    let settings: EnvironmentSettings
    private let pool: Pool
    private let notifier: Notifier
    private let schema: SchemaWatch
    private let backups: BackupWatch
    private let attachments: AttachmentMetrics
    private let tokens: TokenStore
    private let sessions: SessionStore
    private let service: ConfigService
    private let flagUses: FlagUses
    let config: ConfigContext
    let flags: FlagsContext
    let identity: IdentityContext
    let hooks: HooksContext
    let notes: NotesContext
    private let subscription: Subscription
    private let trimming: BackgroundJob
    private let cleaning: BackgroundJob
    private let scheduling: BackgroundJob
    private let deliverer: Deliverer
    private let delivering: BackgroundJob

    /// The longest time for which a lost notification goes unnoticed.
    private static let headCheckInterval = Duration.seconds(2)
    /// The pause between two steps of trimming, and between two rounds.
    private static let trimmingPause = Duration.seconds(2)
    private static let trimmingIdleInterval = Duration.seconds(3600)
    /// The longest time by which a scheduled release comes late.
    private static let schedulingInterval = Duration.seconds(1)

    /// - Parameters:
    ///   - actions: counts actions on notes by status.
    ///   - signIns: counts sign-ins of browsers.
    ///   - keyWaits: limits the threads that wait for keys of identity providers.
    ///   - find: returns another environment of this worker.
    init(
        _ settings: EnvironmentSettings, connections: Int, actions: Family<Counter>, signIns: SignInCounts,
        keyWaits: WaitLimit, find: @escaping @Sendable (EnvironmentName) -> WorkerEnvironment?
    ) throws {
        self.settings = settings
        let database = settings.database.limitingStatements(to: ServerSettings.statementTimeout)
        let pool = Pool(database, size: connections)
        let tokens = TokenStore(environment: settings.name.text, pool: pool)
        let people = PeopleStore(settings, pool: pool)
        let tickets = EventTickets(settings.name, pool: pool)
        let flagUses = FlagUses(settings.name, pool: pool)
        do {
            schema = try SchemaWatch(settings.name, pool: pool)
            try tokens.refresh()
            try people.refresh()
            try tickets.refresh()
            notifier = Notifier(database, threadName: "notify-\(settings.name)")
            let onReplacement: @Sendable (String, String) -> Void = { before, after in
                Log.error("history replaced", ("environment", settings.name.text), ("before", before), ("after", after))
            }
            service = try ConfigService(
                settings: settings, pool: pool, notifier: notifier, onReplacement: onReplacement)
        } catch {
            pool.close()
            throw StartFailure(settings, error)
        }
        self.pool = pool
        self.tokens = tokens
        self.flagUses = flagUses
        let sessions = SessionStore(settings, pool: pool, tokens: tokens, people: people, waits: keyWaits)
        self.sessions = sessions
        backups = BackupWatch(settings.name, pool: pool)
        let authenticator = Authenticator(settings, tokens: tokens, sessions: sessions, waits: keyWaits) { failure in
            Log.error("identity provider", ("environment", settings.name.text), ("reason", "\(failure)"))
        }
        let notesService = NotesService(settings: settings, pool: pool, notifier: notifier, actions: actions)
        attachments = notesService.attachmentMetrics
        config = ConfigContext(service: service, authenticator: authenticator) { find($0)?.config }
        flags = FlagsContext(config: config, authenticator: authenticator, tickets: tickets, uses: flagUses)
        notes = NotesContext(service: notesService, authenticator: authenticator)
        hooks = HooksContext(settings: settings, pool: pool, authenticator: authenticator)
        identity = IdentityContext(
            settings: settings, pool: pool, tokens: tokens, sessions: sessions, authenticator: authenticator,
            signIns: signIns)
        deliverer = Deliverer(settings, pool: pool)
        delivering = try Self.delivering(settings.name, deliverer)
        subscription = try Subscription(
            database,
            channels: [
                ConfigService.channel, TokenStore.channel, PeopleStore.channel, SessionStore.channel,
                Deliverer.channel,
            ],
            interval: Self.headCheckInterval, threadName: "listen-\(settings.name)"
        ) { [service, schema, backups, attachments, identity, delivering] event in
            if case .notified(let notifications) = event {
                if notifications.contains(where: { $0.channel == Deliverer.channel }) { delivering.wake() }
                if notifications.allSatisfy({ $0.channel == Deliverer.channel }) { return }
            }
            Self.refresh(after: event, settings.name, service, flagUses, tokens, sessions) {
                try tickets.refresh()
                try identity.appearance.refresh()
            }
            if case .disconnected = event { return }
            schema.check()
            backups.check()
            attachments.check(pool)
        }
        trimming = try Self.trimming(settings.name, service, flagUses, notesService, sessions, deliverer)
        cleaning = try Self.cleaning(settings.name, notesService)
        scheduling = try Self.scheduling(settings.name, service)
    }

    /// Logs the error that begins an outage of a background job, or its end.
    private static func report(_ failure: (any Error)?, _ outage: String, _ name: EnvironmentName) {
        if let failure {
            Log.error(outage, ("environment", name.text), ("reason", "\(failure)"))
        } else {
            Log.info("\(outage): over", ("environment", name.text))
        }
    }

    /// Applies proposals at their time.
    private static func scheduling(_ name: EnvironmentName, _ config: ConfigService) throws -> BackgroundJob {
        try BackgroundJob(
            from: 0, threadName: "apply-\(name)", pause: schedulingInterval, idleInterval: schedulingInterval
        ) { _ in
            try config.applyDueProposals()
            return false
        } report: {
            report($0, "proposals not applied", name)
        }
    }

    /// Sends the deliveries of hooks. Any worker may send each of them, because a lease names one.
    private static func delivering(_ name: EnvironmentName, _ deliverer: Deliverer) throws -> BackgroundJob {
        try BackgroundJob(
            from: deliverer, threadName: "hooks-\(name)", pause: .zero, idleInterval: Deliverer.interval
        ) { deliverer in
            try deliverer.step()
        } report: {
            report($0, "hooks not delivered", name)
        }
    }

    /// Removes unused attachments and files every hour.
    private static func cleaning(_ name: EnvironmentName, _ notes: NotesService) throws -> BackgroundJob {
        try BackgroundJob(
            from: AttachmentCleaning.Progress(), threadName: "clean-\(name)", pause: trimmingPause,
            idleInterval: trimmingIdleInterval
        ) { progress in
            try notes.cleanAttachments(&progress)
        } report: {
            report($0, "attachments not cleaned", name)
        }
    }

    /// Deletes history older than 180 days, ended sessions and old deliveries, a little at a time.
    private static func trimming(
        _ name: EnvironmentName, _ config: ConfigService, _ flagUses: FlagUses, _ notes: NotesService,
        _ sessions: SessionStore, _ deliverer: Deliverer
    ) throws -> BackgroundJob {
        try BackgroundJob(
            from: TrimProgress(), threadName: "trim-\(name)", pause: trimmingPause, idleInterval: trimmingIdleInterval
        ) { progress in
            let hasConfig = try config.trimHistory()
            let hasNotes = try notes.trimHistory(&progress)
            let hasSessions = try sessions.removeEnded()
            let hasUses = try flagUses.rollUp()
            let hasDeliveries = try deliverer.tidy()
            let hasMore = hasConfig || hasNotes || hasSessions || hasUses || hasDeliveries
            if !hasMore { try flagUses.deleteOrphans() }
            return hasMore
        } report: {
            report($0, "history not trimmed", name)
        }
    }

    /// The cached revision, with true if it may be stale.
    var state: (revision: Int64, isStale: Bool) { service.state }

    var schemaFailure: String? { schema.failure }

    func write(to exposition: inout Exposition) {
        service.write(to: &exposition)
        deliverer.write(to: &exposition)
        flagUses.write(to: &exposition)
        backups.write(to: &exposition)
        attachments.write(to: &exposition)
        exposition.add(pool, of: settings.name)
        exposition.add(notifier, of: settings.name)
        exposition.add(subscription, of: settings.name)
    }

    /// Closes the database connections; requests in progress finish first.
    func close() {
        subscription.stop()
        trimming.stop()
        cleaning.stop()
        scheduling.stop()
        delivering.stop()
        Self.recordUse(settings.name, service, tokens, sessions)
        Self.recordUse(settings.name) { try flagUses.recordNow() }
        notifier.stop()
        pool.close()
    }

    /// Refreshes the caches after notifications, after an interval without any, or after a change of the connection.
    private static func refresh(
        after event: Subscription.Update, _ name: EnvironmentName, _ service: ConfigService, _ flagUses: FlagUses,
        _ tokens: TokenStore, _ sessions: SessionStore, _ refreshRest: () throws -> Void
    ) {
        sessions.apply(event)
        if case .disconnected(let failure) = event {
            if !service.state.isStale {
                Log.error("database unreachable", ("environment", "\(name)"), ("reason", "\(failure)"))
            }
            service.markStale()
            return
        }
        func announces(_ channel: String) -> Bool {
            guard case .notified(let notifications) = event else { return true }
            return notifications.contains { $0.channel == channel }
        }
        let hasPeople = sessions.people.isStale || announces(PeopleStore.channel)
        let hasTokens = tokens.isStale || announces(TokenStore.channel)
        // People come first, because a removal counts at once. Tokens follow, because a new token is often used at
        // once. A failure of one read must not prevent the others.
        let reads = [
            Result { if hasPeople { try sessions.people.refresh() } },
            Result { if hasTokens { try tokens.refresh() } },
        ]
        do {
            let wasStale = service.state.isStale
            try service.refresh()
            if wasStale { Log.info("database reachable again", ("environment", "\(name)")) }
            for read in reads { try read.get() }
            if hasTokens { try refreshRest() }
        } catch {
            Log.error("refresh failed", ("environment", "\(name)"), ("reason", "\(error)"))
        }
        if case .quiet = event { recordUse(name, service, tokens, sessions) }
        // Runs after every event, because a stream of notifications may leave no quiet interval.
        recordUse(name) { try flagUses.record() }
    }

    private static func recordUse(
        _ name: EnvironmentName, _ service: ConfigService, _ tokens: TokenStore, _ sessions: SessionStore
    ) {
        do {
            try tokens.recordUses()
            try sessions.recordUses()
            try sessions.people.recordUses()
            try service.recordMajorUses()
        } catch {
            Log.error(
                "uses of tokens, sessions, people and majors not recorded", ("environment", "\(name)"),
                ("reason", "\(error)"))
        }
    }
    private static func recordUse(_ name: EnvironmentName, ofFlags record: () throws -> Void) {
        do {
            try record()
        } catch {
            Log.error("uses of flags not recorded", ("environment", "\(name)"), ("reason", "\(error)"))
        }
    }
}
