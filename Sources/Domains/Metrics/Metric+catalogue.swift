// Every metric there is. The dashboard and the alerts in deploy/monitoring use these names, and a test holds them to it.

/// About requests. A request that no environment or no route is known for has `-` there.
extension Metric {
    public static let httpRequests = Metric(
        .counter, "almanac_http_requests_total", by: ["environment", "route", "method", "status"], "Requests answered.")
    public static let httpRequestDuration = Metric(
        .histogram(bounds: [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
        "almanac_http_request_duration_seconds", by: ["environment", "route", "method"],
        "Time from a request's arrival at this process to the end of its answer.")
    public static let httpRequestsInProgress = Metric(
        .gauge, "almanac_http_requests_in_progress", "Requests that are being answered, the one for this page included."
    )
    public static let threads = Metric(
        .gauge, "almanac_threads", "How many requests can be answered at the same time.")
}

/// About PostgreSQL.
extension Metric {
    public static let databaseConnections = Metric(
        .gauge, "almanac_database_connections", by: ["environment", "state"],
        "Connections for requests that are open, used or idle.")
    public static let databaseConnectionsLimit = Metric(
        .gauge, "almanac_database_connections_limit", by: ["environment"],
        "How many connections for requests may be open.")
    public static let databaseTimeouts = Metric(
        .counter, "almanac_database_timeouts_total", by: ["environment"],
        "Requests that were refused because no connection became free in time.")
    public static let notifications = Metric(
        .counter, "almanac_notifications_total", by: ["environment", "direction"],
        "Notifications of changes that went through the database, sent or received.")
    public static let notificationFailures = Metric(
        .counter, "almanac_notification_failures_total", by: ["environment"],
        "Attempts to send notifications that failed; they are repeated.")
    public static let listenerDisconnects = Metric(
        .counter, "almanac_listener_disconnects_total", by: ["environment"],
        "Times that the connection which listens for changes was lost or could not be made.")
}

/// About config.
extension Metric {
    public static let configRevision = Metric(
        .gauge, "almanac_config_revision", by: ["environment"], "The revision of the config that is served.")
    public static let configAge = Metric(
        .gauge, "almanac_config_age_seconds", by: ["environment"],
        "Time since the config in memory was last seen to be that of the database.")
    public static let configStale = Metric(
        .gauge, "almanac_config_stale", by: ["environment"],
        "1 while the database is away, so that the config may be out of date; else 0.")
}

/// About notes.
extension Metric {
    public static let notesActions = Metric(
        .counter, "almanac_notes_actions_total", by: ["environment", "status"],
        "Actions on notes by what became of them: applied, merged, duplicate or rejected.")
}

/// About event streams.
extension Metric {
    public static let streams = Metric(
        .gauge, "almanac_streams", by: ["environment"], "Event streams that are open.")
    public static let streamEvents = Metric(
        .counter, "almanac_stream_events_total", by: ["environment", "type"], "Events sent, once for each stream.")
    public static let streamsClosed = Metric(
        .counter, "almanac_streams_closed_total", by: ["reason"], "Event streams that have ended.")
    public static let streamDelivery = Metric(
        .histogram(bounds: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]),
        "almanac_stream_delivery_seconds",
        "Time from hearing of a change to having written it to a stream.")
}

/// About the process; the names that begin with process are Prometheus' own.
extension Metric {
    public static let buildInfo = Metric(
        .gauge, "almanac_build_info", by: ["program", "process", "schema"],
        "Always 1; the labels tell which program and process this page is about, and the schema it works with.")
    public static let processCPUSeconds = Metric(
        .counter, "process_cpu_seconds_total", "Processor time, in the kernel too, in seconds.")
    public static let processStartTime = Metric(
        .gauge, "process_start_time_seconds", "When the process began, in seconds since 1970.")
    public static let processResidentMemory = Metric(
        .gauge, "process_resident_memory_bytes", "Memory of the process that is in RAM.")
    public static let processVirtualMemory = Metric(
        .gauge, "process_virtual_memory_bytes", "Address space of the process.")
    public static let processThreads = Metric(.gauge, "process_threads", "Threads of the process, of all kinds.")
    public static let processOpenDescriptors = Metric(.gauge, "process_open_fds", "Open file descriptors.")
    public static let processDescriptorLimit = Metric(
        .gauge, "process_max_fds", "How many file descriptors may be open.")
}

extension Metric {
    public static let all: [Metric] = [
        httpRequests, httpRequestDuration, httpRequestsInProgress, threads,
        databaseConnections, databaseConnectionsLimit, databaseTimeouts, notifications, notificationFailures,
        listenerDisconnects,
        configRevision, configAge, configStale,
        notesActions,
        streams, streamEvents, streamsClosed, streamDelivery,
        buildInfo, processCPUSeconds, processStartTime, processResidentMemory, processVirtualMemory, processThreads,
        processOpenDescriptors, processDescriptorLimit,
    ]
}
