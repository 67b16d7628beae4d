import AlmanacJSON
import AlmanacMetrics
import AlmanacTestSupport
import Testing

/// Checks the queries in `deploy/monitoring` against the metrics that programs expose.
@Suite struct MonitoringTests {
    /// The metrics of other programs: Prometheus and its black-box, node and PostgreSQL exporters.
    private static let foreign = [
        "up", "probe_ssl_earliest_cert_expiry", "node_filesystem_avail_bytes", "node_filesystem_size_bytes",
        "pg_stat_archiver_failed_count", "pg_replication_slots_pg_wal_lsn_diff", "pg_stat_replication_pg_wal_lsn_diff",
        "pg_stat_activity_count", "pg_settings_max_connections",
    ]

    @Test func `the dashboard is JSON, and every panel has a title, a description and a query`() throws {
        let panels = try Self.dashboard().filter { $0["type"]?.stringValue != "row" }
        #expect(panels.count >= 12)
        for panel in panels {
            let title = try #require(panel["title"]?.stringValue)
            #expect(panel["description"]?.stringValue?.isEmpty == false, "\(title)")
            #expect(!Self.queries(of: panel).isEmpty, "\(title)")
        }
        #expect(Set(panels.compactMap { $0["id"]?.numberValue?.int64 }).count == panels.count)
    }

    @Test func `every metric and label of the dashboard exists`() throws {
        for query in try Self.dashboard().flatMap(Self.queries) { Self.expectKnown(query) }
    }

    @Test func `every metric and label of the alerts exists`() throws {
        let rules = try Checkout.text("deploy/monitoring/alerts.yaml")
        let queries = rules.matches(of: /expr: (?:\|\n(?<block>(?: {10}.*\n)+)|(?<line>.*)\n)/).map {
            String($0.block ?? $0.line ?? "")
        }
        #expect(queries.count == rules.matches(of: /- alert:/).count)
        #expect(queries.count >= 8)
        for query in queries { Self.expectKnown(query) }
    }

    @Test func `everything that the programs show is used by the dashboard or an alert`() throws {
        let text =
            try Checkout.text("deploy/monitoring/alerts.yaml")
            + Self.dashboard().flatMap(Self.queries).joined(separator: "\n")
        let used = Set(text.matches(of: /[a-z_]+/).map { Self.family(String($0.output)) })
        // These metrics are only for manual queries.
        let unused: Set = ["process_virtual_memory_bytes", "process_threads"]
        #expect(Set(Metric.all.map(\.name)).subtracting(used) == unused)
    }

    @Test(arguments: [
        "almanac_requests_total", "almanac_http_requests_total{route=\"a\"} by (path)", "rate(nonsense[5m])",
    ])
    func `an unknown name would be found`(query: String) {
        #expect(!Self.unknown(in: query).isEmpty)
    }

    private static func expectKnown(_ query: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(unknown(in: query) == [], "\(query)", sourceLocation: sourceLocation)
    }

    /// Returns the names in a query that are no metric, no label and no word of the query language.
    private static func unknown(in query: String) -> [String] {
        let language: Set = [
            "sum", "max", "min", "count", "rate", "increase", "histogram_quantile", "clamp_min", "by", "on", "without",
            "and", "or", "unless", "time", "vector", "absent", "changes", "last_over_time", "group_left", "ignoring",
            "bool", "max_over_time", "predict_linear",
        ]
        let labels = Set(Metric.all.flatMap(\.labels)).union(["le", "job", "instance", "fstype"])
        // Strings, durations and Grafana's variables are not names.
        let bare = query.replacing(/"[^"]*"/, with: "").replacing(/\[[^\]]*\]/, with: "").replacing(/\$\w+/, with: "")
        let names = bare.matches(of: /\b[a-z_]+\b/).map { String($0.output) }
        return names.filter { name in
            !language.contains(name) && !labels.contains(name) && !foreign.contains(name)
                && !Metric.all.contains { $0.name == family(name) }
        }
    }

    /// Returns the metric's name without a histogram's suffix.
    private static func family(_ name: String) -> String {
        for suffix in ["_bucket", "_sum", "_count"] where name.hasSuffix(suffix) {
            let family = String(name.dropLast(suffix.count))
            if Metric.all.contains(where: { $0.name == family }) { return family }
        }
        return name
    }

    private static func dashboard() throws -> [JSONObject] {
        let text = try Checkout.text("deploy/monitoring/grafana-dashboard.json")
        let panels = try JSONValue(parsing: Array(text.utf8)).objectValue?["panels"]?.arrayValue
        return try #require(panels).compactMap(\.objectValue)
    }

    private static func queries(of panel: JSONObject) -> [String] {
        (panel["targets"]?.arrayValue ?? []).compactMap { $0.objectValue?["expr"]?.stringValue }
    }
}
