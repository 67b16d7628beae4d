-- Sessions of signed-in browsers, and what leads to one. Of every secret only its SHA-256 is here.

create table sessions (
    id text primary key check (id ~ '^[a-z0-9]{12}$'),
    digest bytea not null unique check (octet_length(digest) = 32),
    application text not null check (application in ('console', 'notes')),
    how text not null check (how in ('token', 'code', 'provider')),
    name text not null,
    scopes text[] not null check (array_position(scopes, null) is null and array_to_string(scopes, ' ') ~
        '^((config:read|config:write|admin|config:write:[A-Za-z_][A-Za-z0-9_.-]{0,127}[*]?)( |$))*$'),
    token_id text references api_tokens,
    issuer text collate "C",
    subject text collate "C",
    signed_in_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    last_used_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    idle interval not null check (idle > '0'),
    expires_at timestamptz(3) not null,
    ends_at timestamptz(3) not null,
    check (expires_at <= ends_at),
    -- Whoever signed in: the bearer of an API token, or a user.
    check ((token_id is null) <> (subject is null) and (issuer is null) = (subject is null)),
    -- A page of one application can do nothing of the other's.
    check (case application when 'console' then cardinality(scopes) > 0 else cardinality(scopes) = 0 and subject is not null end)
);
comment on column sessions.id is 'Names it, and is no secret.';
comment on column sessions.digest is 'SHA-256 of the 32 random bytes that the cookie holds.';
comment on column sessions.name is 'The label of the API token, or the subject of the user.';
comment on column sessions.scopes is 'Never more than those of the API token that it was made of, which also ends it.';
comment on column sessions.idle is 'How long it may go unused.';
comment on column sessions.expires_at is 'When it ends if it is not used again.';
comment on column sessions.ends_at is 'When it ends however much it is used.';
create index sessions_expires_at on sessions (expires_at);
create index sessions_user on sessions (subject, issuer) where subject is not null;
create index sessions_token_id on sessions (token_id) where token_id is not null;

-- Codes of links that open a session once.
create table session_codes (
    digest bytea primary key check (octet_length(digest) = 32),
    application text not null check (application in ('console', 'notes')),
    token_id text references api_tokens,
    issuer text collate "C",
    subject text collate "C",
    session_ends_at timestamptz(3),
    expires_at timestamptz(3) not null,
    check ((token_id is null) <> (subject is null) and (issuer is null) = (subject is null))
);
comment on column session_codes.session_ends_at is 'When the access token of the user ends, and with it the session.';
create index session_codes_expires_at on session_codes (expires_at);

-- Sign-ins that have gone to the identity provider. State, nonce and PKCE verifier are worked out from the browser's
-- cookie, so that nobody who reads this table could end one.
create table login_attempts (
    digest bytea primary key check (octet_length(digest) = 32),
    application text not null check (application in ('console', 'notes')),
    return_to text not null check (char_length(return_to) <= 500),
    is_fresh boolean not null,
    replaces text,
    began_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    expires_at timestamptz(3) not null
);
comment on column login_attempts.digest is 'SHA-256 of the 32 random bytes that the browser''s cookie holds.';
comment on column login_attempts.is_fresh is 'The provider is to ask the user again, whatever it remembers.';
comment on column login_attempts.replaces is 'The session that ends when this one begins.';
create index login_attempts_expires_at on login_attempts (expires_at);

-- Sessions begin and end by these alone, so that those of operators are written down with their author. What users of
-- notes do is not: nothing but their account tells of them.
create function end_session(id text, action text, author text, author_kind text, author_token text)
    returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    ended sessions;
begin
    if action not in ('session.signed_out', 'session.revoked') then
        raise exception 'no way to end a session: %', action using errcode = 'check_violation';
    end if;
    delete from sessions s where s.id = $1 returning * into ended;
    if not found then return false; end if;
    if ended.application = 'console' then
        insert into audit_log (action, author, author_kind, token_id, subject, details)
        values ($2, $3, $4, $5, ended.id, jsonb_build_object('name', ended.name));
    end if;
    perform pg_notify('almanac_sessions', ended.id);
    return true;
end $$;

-- Of an API token, whose label and scopes it has, or of a user. No row where the token is not good any more.
create function begin_session(digest bytea, application text, how text, token_id text, issuer text, subject text,
    scopes text[], idle interval, ends_at timestamptz, replaces text)
    returns setof sessions language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
    token api_tokens;
    begun sessions;
begin
    if $4 is not null then
        select * into token from api_tokens t
        where t.id = $4 and t.revoked_at is null and (t.expires_at is null or t.expires_at > now);
        if not found then return; end if;
    end if;
    insert into sessions (id, digest, application, how, name, scopes, token_id, issuer, subject, signed_in_at,
        last_used_at, idle, expires_at, ends_at)
    values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 12), $1, $2, $3, coalesce(token.label, $6),
        coalesce(token.scopes, $7), $4, $5, $6, now, now, $8,
        least(now + $8, $9, token.expires_at), least($9, token.expires_at))
    returning * into begun;
    if begun.application = 'console' then
        insert into audit_log (action, author, author_kind, token_id, subject, details)
        values ('session.signed_in', begun.name, case when $4 is null then 'user' else 'token' end, $4, begun.id,
            jsonb_build_object('how', $3, 'scopes', to_jsonb(begun.scopes)));
    end if;
    if $10 is not null then
        perform end_session(s.id, 'session.signed_out', s.name,
            case when s.token_id is null then 'user' else 'token' end, s.token_id)
        from sessions s where s.id = $10;
    end if;
    return next begun;
end $$;

-- Ends all of a user's, whose account is erased.
create function erase_sessions(issuer text, subject text)
    returns void language sql security definer set search_path = pg_catalog, public, pg_temp
begin atomic
    select pg_notify('almanac_sessions', s.id) from sessions s
    where s.issuer = $1 and s.subject = $2 and s.application = 'notes';
    delete from session_codes c where c.issuer = $1 and c.subject = $2;
    delete from sessions s where s.issuer = $1 and s.subject = $2 and s.application = 'notes';
end;

-- Removes what is over, a little at a time, and says how much it was.
create function remove_ended_sessions(most integer)
    returns bigint language sql security definer set search_path = pg_catalog, public, pg_temp
begin atomic
    with s as (
        delete from sessions where id in (
            select s.id from sessions s where s.expires_at < now() order by s.expires_at limit most for update skip locked)
        returning 1
    ), c as (
        delete from session_codes where digest in (
            select c.digest from session_codes c where c.expires_at < now() limit most for update skip locked)
        returning 1
    ), l as (
        delete from login_attempts where digest in (
            select l.digest from login_attempts l where l.expires_at < now() limit most for update skip locked)
        returning 1
    )
    select (select count(*) from s) + (select count(*) from c) + (select count(*) from l);
end;

grant select, update (last_used_at, expires_at) on sessions to almanac_worker;
grant select, insert, delete on session_codes, login_attempts to almanac_worker;
revoke all on function begin_session, end_session, erase_sessions, remove_ended_sessions from public;
grant execute on function begin_session, end_session, erase_sessions, remove_ended_sessions to almanac_worker;
