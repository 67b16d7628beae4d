public import AlmanacMetrics

extension Metric {
    static let configRevision = Metric(
        .gauge, "almanac_config_revision", by: ["environment"], "Revision of the served config.")
    static let configAge = Metric(
        .gauge, "almanac_config_age_seconds", by: ["environment"],
        "Time since the config in memory was last seen to be that of the database.")
    static let configStale = Metric(
        .gauge, "almanac_config_stale", by: ["environment"],
        "1 while the database is unreachable, so that the config may be stale; else 0.")

    static let releasesUnreviewed = Metric(
        .gauge, "almanac_releases_unreviewed", by: ["environment"],
        "Releases that went around approvals and that nobody acknowledged.")

    static let historyReplacements = Metric(
        .counter, "almanac_history_replacements_total", by: ["environment"],
        "Number of times that the database's history was replaced, by a failover or a restore.")

    public static let ofConfig: [Metric] = [
        configRevision, configAge, configStale, releasesUnreviewed, historyReplacements,
    ]
}
