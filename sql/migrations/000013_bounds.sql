-- Sessions, codes and lines of the audit log have bounds, so that one token that signs in without end fills nothing. And
-- the config says whether the second of its last change tells it from the states before.

-- One line for all sign-ins, or sign-outs, that are alike within a minute of the first. Its details have their number.
-- Each session that somebody else ended has a line of its own.
create function record_session(
    action text, author text, author_kind text, token_id text, session text, details jsonb)
    returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    update audit_log a
    set details = a.details || jsonb_build_object('count', coalesce((a.details ->> 'count')::bigint, 1) + 1)
    where a.id = (
        select b.id from audit_log b
        where $1 <> 'session.revoked'
            and b.recorded_at > clock_timestamp() - interval '1 minute' and b.action = $1 and b.author = $2
            and b.author_kind = $3 and b.token_id is not distinct from $4 and b.details - 'count' = $6
        order by b.id desc limit 1);
    if found then return; end if;
    insert into audit_log (action, author, author_kind, token_id, subject, details) values ($1, $2, $3, $4, $5, $6);
end $$;

create or replace function end_session(id text, action text, author text, author_kind text, author_token text)
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
        perform record_session($2, $3, $4, $5, ended.id, jsonb_build_object('name', ended.name));
    end if;
    perform pg_notify('almanac_sessions', ended.id);
    return true;
end $$;

-- The hundred sessions of a token or user that were used last stay; one more ends the others.
create or replace function begin_session(digest bytea, application text, how text, token_id text, issuer text,
    subject text, scopes text[], idle interval, ends_at timestamptz, replaces text)
    returns setof sessions language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
    token api_tokens;
    begun sessions;
    surplus text;
begin
    if $4 is not null then
        select * into token from api_tokens t
        where t.id = $4 and t.revoked_at is null and (t.expires_at is null or t.expires_at > now);
        if not found then return; end if;
    end if;
    -- Those who sign in as the same at once are counted one after the other.
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'session', $2, $4, $5, $6), 0));
    insert into sessions (id, digest, application, how, name, scopes, token_id, issuer, subject, signed_in_at,
        last_used_at, idle, expires_at, ends_at)
    values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 12), $1, $2, $3, coalesce(token.label, $6),
        coalesce(token.scopes, $7), $4, $5, $6, now, now, $8,
        least(now + $8, $9, token.expires_at), least($9, token.expires_at))
    returning * into begun;
    if begun.application = 'console' then
        perform record_session('session.signed_in', begun.name, case when $4 is null then 'user' else 'token' end, $4,
            begun.id, jsonb_build_object('how', $3, 'scopes', to_jsonb(begun.scopes)));
    end if;
    if $10 is not null then
        perform end_session(s.id, 'session.signed_out', s.name,
            case when s.token_id is null then 'user' else 'token' end, s.token_id)
        from sessions s where s.id = $10;
    end if;
    for surplus in
        delete from sessions where sessions.id in (
            select s.id from sessions s
            where s.application = $2 and s.id <> begun.id and (s.token_id = $4 or s.issuer = $5 and s.subject = $6)
            order by s.last_used_at desc, s.id offset 99)
        returning sessions.id
    loop
        perform pg_notify('almanac_sessions', surplus);
    end loop;
    return next begun;
end $$;

-- The twenty newest codes of a token or user stay good.
create function make_session_code(digest bytea, application text, token_id text, issuer text, subject text,
    session_ends_at timestamptz, expires_at timestamptz)
    returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'session code', $2, $3, $4, $5), 0));
    insert into session_codes (digest, application, token_id, issuer, subject, session_ends_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7);
    delete from session_codes where session_codes.digest in (
        select c.digest from session_codes c
        where c.application = $2 and (c.token_id = $3 or c.issuer = $4 and c.subject = $5)
        order by c.expires_at desc, c.digest = $1 desc offset 20);
end $$;

create index session_codes_user on session_codes (subject, issuer) where subject is not null;
create index session_codes_token_id on session_codes (token_id) where token_id is not null;

revoke all on function record_session, make_session_code from public;
grant execute on function make_session_code to almanac_worker;

-- HTTP tells times of change in whole seconds (RFC 9110 §8.8.2). Two states of one second look alike there.
alter table config_head add column has_own_second boolean not null default true;
comment on column config_head.has_own_second is 'No change before it was made in the second of updated_at.';
