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
        insert into flag_uses as u (key, variant, last_evaluated_at, evaluations)
        select n.key collate "C", n.variant collate "C", max(n.at), sum(n.number)
        from unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[]) as n (key, variant, at, number)
        where exists (select from config_entries e where e.key = n.key and e.kind = 'flag' and e.value is not null)
        group by 1, 2 order by 1, 2
        on conflict (key, variant) do update set
            last_evaluated_at = greatest(u.last_evaluated_at, excluded.last_evaluated_at),
            evaluations = u.evaluations + excluded.evaluations
        """)

    /// Deletes the uses of flags and variants that no major has any more.
    static let deleteOrphans = Statement(
        """
        -- name: flag_uses_remove_gone
        delete from flag_uses u where not exists (
            select from config_entries e where e.key = u.key and e.kind = 'flag'
                and (u.variant = '' and e.value is not null or e.value -> 'variants' ? u.variant))
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
