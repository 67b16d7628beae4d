internal import AlmanacPostgreSQL

/// The SQL of API tokens.
enum TokenStatements {
    static let all = Statement(
        """
        -- name: token_all
        select id, digest, label, scopes, created_at, expires_at, last_used_at, revoked_at
        from api_tokens order by created_at, id
        """)

    static let insert = Statement(
        """
        -- name: token_insert
        insert into api_tokens (id, digest, label, scopes, expires_at)
        values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 8), $1, $2, $3, $4)
        returning id, digest, label, scopes, created_at, expires_at, last_used_at, revoked_at
        """)

    static let revoke = Statement(
        """
        -- name: token_revoke
        update api_tokens set revoked_at = coalesce(revoked_at, date_trunc('milliseconds', clock_timestamp()))
        where id = $1
        returning id, digest, label, scopes, created_at, expires_at, last_used_at, revoked_at
        """)

    static let used = Statement(
        """
        -- name: token_used
        update api_tokens t set last_used_at = greatest(t.last_used_at, u.used_at)
        from unnest($1, $2) as u (id, used_at) where t.id = u.id
        """)

    static let announce = Statement(
        """
        -- name: token_announce
        select pg_notify('almanac_tokens', '')
        """)
}
