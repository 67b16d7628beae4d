-- API tokens of operators and apps. The secret itself is never stored.
create table api_tokens (
    id text primary key check (id ~ '^[a-z0-9]{8}$'),
    digest bytea not null unique check (octet_length(digest) = 32),
    label text not null check (char_length(label) between 1 and 100),
    scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['config:read', 'config:write', 'admin']),
    created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    revoked_at timestamptz(3)
);
comment on column api_tokens.digest is 'SHA-256 of the whole token, which has 256 random bits.';

-- The workers read tokens and note their use; only the owner makes and revokes them.
grant select on api_tokens to almanac_worker;
grant update (last_used_at) on api_tokens to almanac_worker;
