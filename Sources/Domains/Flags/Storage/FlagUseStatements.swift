internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

enum FlagUseStatements {
    /// Adds the uses that one worker counted, for flags that still exist.
    static func record(_ uses: [FlagUseTable.Use]) -> Call {
        Call(
            record, .textArray(uses.map(\.key)), .textArray(uses.map(\.variant)),
            .timestampArray(uses.map { Timestamp(milliseconds: $0.lastAt * 1000) }), .bigintArray(uses.map(\.count)))
    }

    // Sorted rows prevent deadlocks between workers that write at the same time.
    private static let record = Statement(
        """
        -- name: flag_uses_record
        with uses as materialized (
            select n.key collate "C" as key, n.variant collate "C" as variant, n.at, n.number
            from unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[]) as n (key, variant, at, number)
            where exists (select from config_entries e where e.key = n.key and e.kind = 'flag' and e.value is not null)
        ), hours as (
            insert into flag_use_periods as p (key, variant, period, started_at, evaluations)
            select key, variant, 'hour', date_trunc('hour', at, 'UTC'), sum(number) from uses
            group by 1, 2, 4 order by 1, 2, 4
            on conflict (key, variant, period, started_at)
                do update set evaluations = p.evaluations + excluded.evaluations
        )
        insert into flag_uses as u (key, variant, last_evaluated_at, evaluations)
        select key, variant, max(at), sum(number) from uses group by 1, 2 order by 1, 2
        on conflict (key, variant) do update set
            last_evaluated_at = greatest(u.last_evaluated_at, excluded.last_evaluated_at),
            evaluations = u.evaluations + excluded.evaluations
        """)

    /// Deletes the uses of flags and variants that no major has any more.
    static let deleteOrphans = Statement(
        """
        -- name: flag_uses_remove_gone
        with periods as (delete from flag_use_periods u where \(isOrphan))
        delete from flag_uses u where \(isOrphan)
        """)

    private static let isOrphan = """
        not exists (
            select from config_entries e where e.key = u.key and e.kind = 'flag'
                and (u.variant = '' and e.value is not null or e.value -> 'variants' ? u.variant))
        """

    /// Adds a batch of old hours to their days, and deletes old days.
    static func rollUp(hoursBefore hour: Timestamp, daysBefore day: Timestamp) -> Call {
        Call(rollUp, .timestamp(hour), .timestamp(day))
    }

    private static let rollUp = Statement(
        """
        -- name: flag_use_periods_roll_up
        with old_days as (
            delete from flag_use_periods where period = 'day' and started_at < $2
        ), due as (
            select key, variant, started_at from flag_use_periods where period = 'hour' and started_at < $1
            order by started_at, key, variant limit 5000 for update skip locked
        ), hours as (
            delete from flag_use_periods p using due d
            where p.key = d.key and p.variant = d.variant and p.period = 'hour' and p.started_at = d.started_at
            returning p.key, p.variant, p.started_at, p.evaluations
        ), days as (
            insert into flag_use_periods as p (key, variant, period, started_at, evaluations)
            select key, variant, 'day', date_trunc('day', started_at, 'UTC'), sum(evaluations) from hours
            group by 1, 2, 4 order by 1, 2, 4
            on conflict (key, variant, period, started_at)
                do update set evaluations = p.evaluations + excluded.evaluations
        )
        select count(*) as hours from hours
        """)

    /// Selects the evaluations of a flag by hour, and by day; a day includes its hours.
    static func periods(of key: String) -> Call { Call(periods, .text(key)) }

    private static let periods = Statement(
        """
        -- name: flag_use_periods_of_flag
        select 'hour' as period, variant, started_at, evaluations from flag_use_periods
        where key = $1 and period = 'hour'
        union all
        select 'day', variant, date_trunc('day', started_at, 'UTC'), sum(evaluations)::bigint from flag_use_periods
        where key = $1 group by 2, 3
        order by 1, 3, 2
        """)

    static let all = Statement(
        """
        -- name: flag_uses_all
        select key, variant, last_evaluated_at, evaluations from flag_uses
        """)

    /// Counts the flags, and the flags that were neither changed nor evaluated since a time.
    static func counts(unusedSince time: Timestamp) -> Call { Call(counts, .timestamp(time)) }

    private static let counts = Statement(
        """
        -- name: flag_uses_counts
        select count(*) as flags, count(*) filter (where e.updated_at < $1 and not exists (
            select from flag_uses u where u.key = e.key and u.last_evaluated_at >= $1)) as unused
        from config_entries e where e.kind = 'flag' and upper_inf(e.majors) and e.value is not null
        """)
}
