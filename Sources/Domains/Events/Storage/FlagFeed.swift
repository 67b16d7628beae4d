internal import AlmanacPostgreSQL
internal import AlmanacTargeting

/// The queries for flags that depend on the time.
enum FlagFeed {
    /// The definitions and shared rules of every major that may read the time. The pattern relies on jsonb, which
    /// writes a member in only one way.
    private static let timed = Statement(
        #"""
        -- name: events_flags_with_time
        select e.kind, e.value::text as value from config_entries e
        where e.kind <> 'value' and e.value is not null
            and e.value::text ~ 'almanac\.(date|ramp)|\$flagd|"var": (""|null|\[|\{)'
        """#)

    /// Returns the times at which evaluations may change without a release.
    static func schedule(on connection: Connection) throws -> FlagSchedule {
        var schedule = FlagSchedule()
        for row in try connection.run(timed) {
            // An unreadable definition evaluates to an error at any time.
            guard let value = try? FlagValue(json: Array(try row.text("value").utf8), maxDepth: 1024) else { continue }
            if try row.text("kind") == "flag" {
                schedule.add(definition: value)
            } else if case .object(let object) = value, case .object(let rules)? = object["$evaluators"] {
                for rule in rules.members { schedule.add(rule: rule.value) }
            }
        }
        return schedule
    }
}
