internal import AlmanacPostgreSQL
internal import AlmanacTargeting

/// Reads what flags say about the time.
enum FlagFeed {
    /// The definitions and shared rules that may look at the time, whoever still sees them: jsonb writes a member's
    /// name and its value in one way only.
    private static let timed = Statement(
        #"""
        -- name: events_flags_with_time
        select e.kind, e.value::text as value from config_entries e
        where e.kind <> 'value' and e.value is not null
            and e.value::text ~ 'almanac\.(date|ramp)|\$flagd|"var": (""|null|\[|\{)'
        """#)

    /// When the answers of flags may change though no release does.
    static func schedule(on connection: Connection) throws -> FlagSchedule {
        var schedule = FlagSchedule()
        for row in try connection.run(timed) {
            // One that can't be read evaluates to an error at any time.
            guard let value = try? FlagValue(json: Array(try row.text("value").utf8), deepest: 1024) else { continue }
            if try row.text("kind") == "flag" {
                schedule.add(definition: value)
            } else if case .object(let object) = value, case .object(let rules)? = object["$evaluators"] {
                for rule in rules.members { schedule.add(rule: rule.value) }
            }
        }
        return schedule
    }
}
