-- Tokens that change some keys only, and the audit log: who did what.

-- A scope config:write:app.banner.* is for the keys that begin so. Programs of the release before know no such scope,
-- and let a token that has no other do nothing.
alter table api_tokens drop constraint api_tokens_scopes_check;
alter table api_tokens add constraint api_tokens_scopes_check check (
    cardinality(scopes) > 0 and array_position(scopes, null) is null and array_to_string(scopes, ' ') ~
    '^((config:read|config:write|admin|config:write:[A-Za-z_][A-Za-z0-9_.-]{0,127}[*]?)( |$))+$');

-- Only ever added to: the workers may insert, and neither change nor delete what is there.
create table audit_log (
    id bigint generated always as identity primary key,
    recorded_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    action text not null check (action ~ '^[a-z]+[.][a-z_]+$'),
    author text not null,
    author_kind text not null check (author_kind in ('token', 'user', 'host')),
    token_id text,
    subject text not null default '',
    details jsonb not null default '{}' check (jsonb_typeof(details) = 'object')
);
comment on column audit_log.author is 'The label of an API token, the subject of a user, or whoever ran a command on the host.';
comment on column audit_log.token_id is 'That of the author, where it was an API token.';
comment on column audit_log.subject is 'What it was done to: a token''s id, a key, a major, a revision.';
create index audit_log_recorded_at on audit_log (recorded_at);
grant select, insert on audit_log to almanac_worker;

-- Tokens are made and ended by these alone, also for the workers, who may not change them otherwise: so each is written
-- down with its author.
create function audit_of_token(made api_tokens) returns jsonb
    language sql stable set search_path = pg_catalog, public, pg_temp
    return jsonb_build_object('label', (made).label, 'scopes', to_jsonb((made).scopes), 'expires_at',
        to_char((made).expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));

create function make_api_token(
    digest bytea, label text, scopes text[], expires_at timestamptz, author text, author_kind text, author_token text)
    returns api_tokens language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    made api_tokens;
begin
    insert into api_tokens (id, digest, label, scopes, expires_at)
    values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 8), $1, $2, $3, $4) returning * into made;
    insert into audit_log (action, author, author_kind, token_id, subject, details)
    values ('token.create', $5, $6, $7, made.id, audit_of_token(made));
    return made;
end $$;

-- No row where there is none with that id. Ending it again changes nothing.
create function revoke_api_token(id text, author text, author_kind text, author_token text)
    returns setof api_tokens language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    update api_tokens t set revoked_at = date_trunc('milliseconds', clock_timestamp())
    where t.id = $1 and t.revoked_at is null;
    if found then
        insert into audit_log (action, author, author_kind, token_id, subject, details)
        select 'token.revoke', $2, $3, $4, t.id, audit_of_token(t) from api_tokens t where t.id = $1;
    end if;
    return query select * from api_tokens t where t.id = $1;
end $$;

-- Makes a token that is good for the same, for as long again as the old one was given, or until a time of its own; the
-- old one ends after the overlap. No row where there is no valid one with that id.
create function rotate_api_token(
    id text, digest bytea, expires_at timestamptz, overlap interval, author text, author_kind text, author_token text)
    returns setof api_tokens language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
    old api_tokens;
    made api_tokens;
begin
    select * into old from api_tokens t
    where t.id = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > now) for update;
    if not found then return; end if;
    update api_tokens t set expires_at = least(t.expires_at, now + $4) where t.id = $1;
    insert into api_tokens (id, digest, label, scopes, expires_at)
    values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 8), $2, old.label, old.scopes,
        coalesce($3, now + (old.expires_at - old.created_at))) returning * into made;
    insert into audit_log (action, author, author_kind, token_id, subject, details)
    select 'token.rotate', $5, $6, $7, t.id, audit_of_token(t) || jsonb_build_object('successor', made.id)
    from api_tokens t where t.id = $1;
    insert into audit_log (action, author, author_kind, token_id, subject, details)
    values ('token.create', $5, $6, $7, made.id, audit_of_token(made));
    return next made;
end $$;

revoke all on function audit_of_token, make_api_token, revoke_api_token, rotate_api_token from public;
grant execute on function make_api_token, revoke_api_token, rotate_api_token to almanac_worker;
