public import AlmanacJSON
public import AlmanacPostgreSQL
public import AlmanacWebhooks

/// The outbox of deliveries: one row for each hook and event, written in the transaction of the event.
///
/// A trigger adds the events of releases, so a release costs no further statement.
public enum Outbox {
    /// Adds an event in the running transaction, once for each hook that takes it. An id that is there is ignored.
    ///
    /// - Parameters:
    ///   - id: The id of ``HookEvent/id(_:of:lineage:key:)``.
    ///   - keys: The keys that hooks filter by; none for an event about no key.
    ///   - facts: The members of the body's `data`. Values of keys do not belong here, because a purge could not erase
    ///     them.
    public static func add(
        _ kind: HookEvent.Kind, id: String, about keys: [String] = [], facts: JSONObject, on connection: Connection
    ) throws(PostgresFailure) {
        try connection.run(
            Call(
                insert, .text(id), .text(kind.rawValue), .textArray(keys),
                .text(String(decoding: JSONValue.object(facts).serialized(), as: UTF8.self))))
    }

    private static let insert = Statement(
        """
        -- name: hook_event_add
        select add_event($1, $2, $3, null, null, $4::jsonb)
        """)

    /// Leases the next due delivery for 30 seconds, or returns nil.
    static func lease(on connection: Connection) throws -> Delivery? {
        try connection.run(Call(lease)).first.map { try Delivery($0) }
    }

    /// The row of a leased delivery with its hook, the release, and the maker's right to read the config.
    private static let lease = Statement(
        """
        -- name: delivery_lease
        select d.id, d.event_id, d.type, d.key, d.revision, d.facts::text as facts, d.created_at, d.attempts,
            h.url, h.format, h.keys, h.secret,
            case when h.previous_secret_until > clock_timestamp() then h.previous_secret end as previous_secret,
            r.major || '.' || r.minor || '.' || r.patch as version, r.author, r.message, r.released_at,
            t.scopes as token_scopes, p.scopes as person_scopes, h.token_id is not null as has_token,
            h.subject is not null as has_person
        from lease_delivery() d join hooks h on h.id = d.hook_id
            left join config_releases r on r.revision = d.revision
            left join api_tokens t on t.id = h.token_id and t.revoked_at is null
                and (t.expires_at is null or t.expires_at > clock_timestamp())
            left join people p on p.issuer = h.issuer and p.subject = h.subject and p.removed_at is null
        """)

    /// Selects the changes of a delivery's release that its hook takes.
    static func changes(of delivery: Delivery, on connection: Connection) throws -> [HookEvent.Change] {
        guard let revision = delivery.revision else { return [] }
        return try connection.run(
            Call(changes, .bigint(revision), .textArray(delivery.keys), .text(delivery.key))
        ).map { row in
            HookEvent.Change(
                key: try row.text("key"),
                before: try row.optionalText("before").map { try JSONValue(parsing: Array($0.utf8)) },
                after: try row.optionalText("after").map { try JSONValue(parsing: Array($0.utf8)) })
        }
    }

    private static let changes = Statement(
        """
        -- name: delivery_changes
        select key, before::text as before, after::text as after from config_changes
        where revision = $1 and ($3 is null or key = $3) and (
            cardinality($2) = 0 or exists (
                select from unnest($2) p where key = p or right(p, 1) = '*' and starts_with(key, left(p, -1))))
        order by key
        """)

    /// Stores the result of an attempt, unless its lease has gone to another one.
    static func finish(
        _ delivery: Delivery, status: Int?, milliseconds: Int, _ outcome: DeliveryOutcome, on connection: Connection
    ) throws(PostgresFailure) {
        let (state, delay, reason): (String, Int64?, String?) =
            switch outcome {
            case .delivered: ("delivered", nil, nil)
            case .retry(let seconds): ("open", seconds, nil)
            case .disable(let reason): ("failed", nil, reason.rawValue)
            }
        try connection.run(
            Call(
                finish, .bigint(delivery.id), .integer(Int32(clamping: delivery.attempts)),
                .integer(status.map { Int32(clamping: $0) }), .integer(Int32(clamping: milliseconds)), .text(state),
                .bigint(delay), .text(reason)))
    }

    private static let finish = Statement(
        """
        -- name: delivery_finish
        select finish_delivery($1, $2, $3, $4, $5, $6 * interval '1 second', $7)
        """)

    /// Adds the events of the proposals that end within a day and of the tokens that end within a week, once each.
    ///
    /// - Parameter days: The time after which an unchanged proposal ends; nil if proposals do not end.
    static func expiring(proposalsAfterDays days: Int?) -> Call { Call(expiring, .integer(days.map { Int32($0) })) }

    private static let expiring = Statement(
        """
        -- name: events_expiring
        with ending as (
            select 'p' || p.number || ':' || p.version || ':proposal:expiring' as event, 'proposal.expiring' as type,
                array(select distinct e.key from proposal_edits e where e.number = p.number order by e.key) as keys,
                jsonb_build_object('number', p.number, 'title', p.title, 'expires_at',
                    to_char((p.changed_at + make_interval(days => $1)) at time zone 'UTC', \(rfc3339))) as facts
            from proposals p
            where p.state = 'open' and p.apply_at is null
                and p.changed_at < clock_timestamp() - make_interval(days => $1) + interval '1 day'
            union all
            select 't' || t.id || ':token:expiring', 'token.expiring', '{}',
                jsonb_build_object('token', t.id, 'label', t.label, 'expires_at',
                    to_char(t.expires_at at time zone 'UTC', \(rfc3339)))
            from api_tokens t
            where t.revoked_at is null and t.expires_at > clock_timestamp()
                and t.expires_at < clock_timestamp() + interval '7 days'
        )
        select add_event(h.lineage || ':' || e.event, e.type, e.keys, null, null, e.facts)
        from ending e cross join config_head h
        where not exists (select from deliveries d where d.event_id = h.lineage || ':' || e.event)
        """)

    private static let rfc3339 = #"'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'"#

    /// Deletes a batch of deliveries older than 30 days. Returns true if there may be more.
    static func trim(on connection: Connection) throws -> Bool {
        try connection.run(Call(trim)).single("deliveries").bigint("removed") > 0
    }

    private static let trim = Statement(
        """
        -- name: delivery_trim
        select trim_deliveries(500) as removed
        """)
}
