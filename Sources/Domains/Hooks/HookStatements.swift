internal import AlmanacIdentity
internal import AlmanacPostgreSQL
internal import AlmanacWebhooks

enum HookStatements {
    private static let columns =
        "id, url, label, format, types, keys, author, created_at, disabled_at, disabled_reason"

    static let list = Statement(
        """
        -- name: hooks_list
        select \(columns) from hooks order by created_at, id
        """)

    static let disabled = Statement(
        """
        -- name: hooks_disabled
        select count(*) from hooks where disabled_at is not null
        """)

    static func find(_ id: String) -> Call { Call(find, .text(id)) }

    private static let find = Statement(
        """
        -- name: hook_find
        select \(columns) from hooks where id = $1
        """)

    /// Inserts a hook unless the environment has as many as there can be.
    static func insert(_ fields: HookFields, id: String, secret: WebhookSecret, by caller: Caller) -> Call {
        Call(
            insert, .text(id), .text(fields.url), .text(fields.label), .text(fields.format.rawValue),
            .textArray(fields.types), .textArray(fields.keys), .text(secret.text), .text(caller.author.name),
            .text(caller.author.kind.rawValue), .text(caller.author.tokenID), .text(caller.person?.issuer),
            .text(caller.person?.subject), .integer(Int32(HookFields.maxHooks)))
    }

    private static let insert = Statement(
        """
        -- name: hook_insert
        insert into hooks (id, url, label, format, types, keys, secret, author, author_kind, token_id, issuer, subject)
        select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 where (select count(*) from hooks) < $13
        returning \(columns)
        """)

    static func update(_ fields: HookFields, id: String) -> Call {
        Call(
            update, .text(id), .text(fields.url), .text(fields.label), .text(fields.format.rawValue),
            .textArray(fields.types), .textArray(fields.keys))
    }

    private static let update = Statement(
        """
        -- name: hook_update
        update hooks set url = $2, label = $3, format = $4, types = $5, keys = $6 where id = $1
        returning \(columns)
        """)

    static func delete(_ id: String) -> Call { Call(delete, .text(id)) }

    private static let delete = Statement(
        """
        -- name: hook_delete
        delete from hooks where id = $1 returning id
        """)

    /// Enables a hook that was disabled. Its failed deliveries stay failed.
    static func enable(_ id: String) -> Call { Call(enable, .text(id)) }

    private static let enable = Statement(
        """
        -- name: hook_enable
        update hooks set disabled_at = null, disabled_reason = null where id = $1
        returning \(columns)
        """)

    /// Gives a hook another secret. The present one is valid for 24 more hours.
    static func rotate(_ id: String, to secret: WebhookSecret) -> Call {
        Call(rotate, .text(id), .text(secret.text))
    }

    private static let rotate = Statement(
        """
        -- name: hook_rotate
        update hooks set previous_secret = secret, secret = $2,
            previous_secret_until = date_trunc('milliseconds', clock_timestamp()) + interval '24 hours'
        where id = $1
        returning \(columns)
        """)

    /// Adds a test event for one hook.
    static func test(_ id: String, eventID: String) -> Call { Call(test, .text(id), .text(eventID)) }

    private static let test = Statement(
        """
        -- name: hook_test
        insert into deliveries (hook_id, event_id, type)
        select id, $2, 'hook.test' from hooks where id = $1 and disabled_at is null
        returning id
        """)

    static func deliveries(of hook: String, before: Int64, limit: Int64) -> Call {
        Call(deliveries, .text(hook), .bigint(before), .bigint(limit))
    }

    private static let deliveries = Statement(
        """
        -- name: deliveries_list
        select id, event_id, type, state, attempts, status, milliseconds, created_at,
            case when state = 'open' then next_attempt_at end as next_attempt_at
        from deliveries where hook_id = $1 and id < $2 order by id desc limit $3
        """)

    /// Makes a delivery due again, with the same event.
    static func again(_ delivery: Int64, of hook: String) -> Call {
        Call(again, .bigint(delivery), .text(hook))
    }

    private static let again = Statement(
        """
        -- name: delivery_again
        update deliveries set state = 'open', attempts = 0, leased_until = null,
            next_attempt_at = date_trunc('milliseconds', clock_timestamp())
        where id = $1 and hook_id = $2 and state <> 'open'
        returning id
        """)

    /// Makes the releases after a revision due for a hook, in their order and with the ids that they had.
    static func replay(since revision: Int64, for hook: String) -> Call {
        Call(replay, .bigint(revision), .text(hook))
    }

    private static let replay = Statement(
        """
        -- name: hook_replay
        with gone as (
            delete from deliveries where hook_id = $2 and revision > $1 and type = 'release.created' returning id
        ), wanted as (
            select r.revision,
                (select c.lineage from config_head c) || ':r' || r.revision || ':release:created' as event
            from config_releases r
            where r.revision > $1 and (select count(*) from gone) >= 0 and exists (
                select from hooks h where h.id = $2 and h.disabled_at is null and (
                    cardinality(h.keys) = 0 or exists (
                        select from config_changes c, unnest(h.keys) p
                        where c.revision = r.revision
                            and (c.key = p or right(p, 1) = '*' and starts_with(c.key, left(p, -1))))))
            order by r.revision limit 1000
        )
        insert into deliveries (hook_id, event_id, type, revision)
        select $2, event, 'release.created', revision from wanted order by revision
        returning id
        """)
}
