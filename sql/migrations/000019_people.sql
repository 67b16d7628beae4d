-- People: everybody who acts with the scopes of an operator, with the names for history and audit. Tokens have owners.

create table people (
    id text primary key check (id ~ '^[a-z0-9]{12}$'),
    issuer text collate "C" not null check (octet_length(issuer) between 1 and 1000),
    subject text collate "C" not null check (octet_length(subject) between 1 and 1000),
    name text check (char_length(name) between 1 and 100),
    role text check (role in ('viewer', 'editor', 'approver', 'admin')),
    source text not null check (source in ('claim', 'invitation', 'token')),
    scopes text[] not null default '{}',
    first_seen_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    last_seen_at timestamptz(3),
    removed_at timestamptz(3),
    unique (issuer, subject),
    check ((source = 'invitation') = (role is not null))
);
comment on column people.name is 'Null if the provider gives no name, or if the name was erased.';
comment on column people.role is
    'The role of a person by invitation. The role of a person by claim is computed from the scopes.';
comment on column people.source is
    'The claim of a provider, an invitation, or a token whose owner the person is and who has not signed in otherwise.';
comment on column people.scopes is 'The scopes at the last sign-in; those of the role for a person by invitation.';
comment on column people.last_seen_at is 'Null for an owner of tokens who has not signed in.';
comment on column people.removed_at is 'Every call of a removed person is refused.';

-- A database that was restored from a backup without people has the later removals in its audit log.
insert into people (id, issuer, subject, source, removed_at)
select distinct on (r.details ->> 'issuer', r.details ->> 'subject')
    r.subject, r.details ->> 'issuer', r.details ->> 'subject', 'claim', r.recorded_at
from audit_log r
where r.action = 'person.remove' and not exists (
    select from audit_log l where (l.recorded_at, l.id) > (r.recorded_at, r.id) and (
        l.action = 'person.admit' and l.subject = r.subject
        or l.action = 'invitation.accept' and l.details ->> 'person' = r.subject))
order by r.details ->> 'issuer', r.details ->> 'subject', r.recorded_at desc;

-- Owners of tokens. Programs of the release before make tokens without an owner.
-- PostgreSQL 15.20 adds no column with a default to a table whose row type a function with a parsed body uses.
drop function audit_of_token(api_tokens);
alter table api_tokens
    add column owner_issuer text collate "C",
    add column owner_subject text collate "C",
    add column purpose text not null default '' check (char_length(purpose) <= 200),
    add constraint api_tokens_owner_fkey foreign key (owner_issuer, owner_subject)
        references people (issuer, subject) match full;
comment on column api_tokens.owner_issuer is 'The person who owns the token. Null for the token of a service account.';
create index api_tokens_owner on api_tokens (owner_subject, owner_issuer) where owner_subject is not null;

-- The session of an owned token has the token and its owner. Sessions of the release before have the token alone.
alter table sessions drop constraint sessions_check1;
alter table sessions add constraint sessions_check1 check (
    (token_id is not null or subject is not null) and (issuer is null) = (subject is null));
alter table sessions add column passkey_id text;
comment on column sessions.passkey_id is 'The passkey that began the session, which ends with the passkey.';
comment on column sessions.name is
    'The subject of the person, or the label of the API token for a session without an owner.';

-- Programs of the release before ignore the new scopes.
alter table api_tokens drop constraint api_tokens_scopes_check;
alter table api_tokens add constraint api_tokens_scopes_check check (
    cardinality(scopes) > 0 and array_position(scopes, null) is null and array_to_string(scopes, ' ') ~
    '^((flags:evaluate|config:read|config:write|config:propose|config:approve|config:bypass|admin|config:(write|approve):[A-Za-z_][A-Za-z0-9_.-]{0,127}[*]?)( |$))+$');
alter table sessions drop constraint sessions_scopes_check;
alter table sessions add constraint sessions_scopes_check check (
    array_position(scopes, null) is null and array_to_string(scopes, ' ') ~
    '^((flags:evaluate|config:read|config:write|config:propose|config:approve|config:bypass|admin|config:(write|approve):[A-Za-z_][A-Za-z0-9_.-]{0,127}[*]?)( |$))*$');

create function audit_of_token(made api_tokens) returns jsonb
    language sql stable set search_path = pg_catalog, public, pg_temp
    return jsonb_build_object('label', (made).label, 'scopes', to_jsonb((made).scopes), 'expires_at',
        to_char((made).expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        || jsonb_strip_nulls(jsonb_build_object('owner', (made).owner_subject, 'owner_issuer', (made).owner_issuer,
            'purpose', nullif((made).purpose, '')));

-- Inserts or updates people who were seen, each with a name or null, with scopes separated by spaces and with the
-- source of the scopes. Removed people stay unchanged. Scopes of a token do not replace those of another source.
create function see_people(
    issuers text[], subjects text[], names text[], scopes text[], sources text[], seen_at timestamptz[])
    returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    has_change boolean;
begin
    -- All callers lock the rows in the same order.
    perform from people p join unnest($1, $2) as s (issuer, subject) on p.issuer = s.issuer and p.subject = s.subject
    order by p.issuer, p.subject for no key update of p;
    with known as (
        select p.* from people p join unnest($1, $2) as s (issuer, subject)
            on p.issuer = s.issuer and p.subject = s.subject
    ), written as (
        insert into people as p (id, issuer, subject, name, source, scopes, last_seen_at)
        select substr(replace(gen_random_uuid()::text, '-', ''), 1, 12), s.issuer, s.subject, s.name, s.source,
            string_to_array(s.scopes, ' '), s.seen_at
        from unnest($1, $2, $3, $4, $5, $6) as s (issuer, subject, name, scopes, source, seen_at)
        order by s.issuer collate "C", s.subject collate "C"
        on conflict (issuer, subject) do update set
            name = coalesce(excluded.name, p.name),
            source = case when p.source = 'token' then excluded.source else p.source end,
            scopes = case when excluded.scopes <> '{}' and (
                p.source = 'token' or p.source = 'claim' and excluded.source = 'claim') then excluded.scopes
                else p.scopes end,
            last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at)
        where p.removed_at is null
        returning p.id, p.name, p.source, p.scopes
    )
    select exists (
        select from written w left join known k using (id)
        where k.id is null or (w.name, w.source, w.scopes) is distinct from (k.name, k.source, k.scopes))
    into has_change;
    if has_change then perform pg_notify('almanac_people', ''); end if;
end $$;

-- Begins the session of a person: of the owner of a token, or of a user. The session has the scopes of the token except
-- those for approvals, which need the person's own sign-in. Returns no row if the token is not valid, or if it has no
-- owner, or if the person was removed.
create function begin_session(digest bytea, application text, how text, token_id text, issuer text, subject text,
    name text, scopes text[], idle interval, ends_at timestamptz, replaces text, passkey text)
    returns setof sessions language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
    token api_tokens;
    person people;
    begun sessions;
    surplus text;
begin
    if $4 is not null then
        select * into token from api_tokens t
        where t.id = $4 and t.revoked_at is null and (t.expires_at is null or t.expires_at > now)
            and t.owner_subject is not null;
        if not found then return; end if;
        token.scopes := array(select s from unnest(token.scopes) s where s !~ '^config:(approve|bypass)');
    end if;
    if $2 = 'console' then
        perform see_people(array[coalesce(token.owner_issuer, $5)], array[coalesce(token.owner_subject, $6)],
            array[$7], array[array_to_string(coalesce(token.scopes, $8), ' ')],
            array[case when $4 is null then 'claim' else 'token' end], array[now]);
    end if;
    -- The lock makes a removal wait for the session, which it then ends.
    select * into person from people p
    where p.issuer = coalesce(token.owner_issuer, $5) and p.subject = coalesce(token.owner_subject, $6) for share;
    if person.removed_at is not null then return; end if;
    -- Serializes the sign-ins of one person, because the sessions are counted below.
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'session', $2, $4, $5, $6), 0));
    insert into sessions (id, digest, application, how, name, scopes, token_id, issuer, subject, signed_in_at,
        last_used_at, idle, expires_at, ends_at, passkey_id)
    values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 12), $1, $2, $3, coalesce(token.owner_subject, $6),
        coalesce(token.scopes, case when $2 = 'console' and person.source = 'invitation' then person.scopes end, $8),
        $4, coalesce(token.owner_issuer, $5), coalesce(token.owner_subject, $6), now, now, $9,
        least(now + $9, $10, token.expires_at), least($10, token.expires_at), $12)
    returning * into begun;
    if begun.application = 'console' then
        perform record_session('session.signed_in', begun.name, 'user', $4, begun.id,
            jsonb_build_object('how', $3, 'scopes', to_jsonb(begun.scopes)));
    end if;
    if $11 is not null then
        perform end_session(s.id, 'session.signed_out', s.name,
            case when s.subject is null then 'token' else 'user' end, s.token_id)
        from sessions s where s.id = $11;
    end if;
    for surplus in
        delete from sessions where sessions.id in (
            select s.id from sessions s
            where s.application = $2 and s.id <> begun.id
                and (s.token_id = $4 or s.issuer = begun.issuer and s.subject = begun.subject)
            order by s.last_used_at desc, s.id offset 99)
        returning sessions.id
    loop
        perform pg_notify('almanac_sessions', surplus);
    end loop;
    return next begun;
end $$;

-- Ends all sessions of a person. The rows stay until the next cleaning, so that a removed person is told of the
-- removal.
create function end_sessions(issuer text, subject text)
    returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
    ended text;
begin
    delete from session_codes c where c.issuer = $1 and c.subject = $2;
    for ended in
        update sessions s set expires_at = least(s.expires_at, now), ends_at = least(s.ends_at, now)
        where s.issuer = $1 and s.subject = $2 and s.expires_at > now returning s.id
    loop
        perform pg_notify('almanac_sessions', ended);
    end loop;
end $$;

-- Removes a person, whose tokens become those of a service account; erases the name as well if asked to. Returns no row
-- if there is no person with the id. Removing the person again changes nothing.
create function remove_person(id text, erases_name boolean, author text, author_kind text, author_token text)
    returns setof people language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    person people;
begin
    select * into person from people p where p.id = $1 for update;
    if not found then return; end if;
    if person.removed_at is null then
        update people p set removed_at = date_trunc('milliseconds', clock_timestamp()) where p.id = $1;
        perform pg_notify('almanac_people', '');
        perform end_sessions(person.issuer, person.subject);
        insert into audit_log (action, author, author_kind, token_id, subject, details)
        values ('person.remove', $3, $4, $5, person.id,
            jsonb_build_object('issuer', person.issuer, 'subject', person.subject));
    end if;
    if $2 and person.name is not null then
        update people p set name = null where p.id = $1;
        insert into audit_log (action, author, author_kind, token_id, subject, details)
        values ('person.erase', $3, $4, $5, person.id,
            jsonb_build_object('issuer', person.issuer, 'subject', person.subject));
    end if;
    perform pg_notify('almanac_people', '');
    return query select * from people p where p.id = $1;
end $$;

-- Admits a removed person again. Returns no row if there is no person with the id.
create function admit_person(id text, author text, author_kind text, author_token text)
    returns setof people language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    update people p set removed_at = null where p.id = $1 and p.removed_at is not null;
    if found then
        insert into audit_log (action, author, author_kind, token_id, subject, details)
        select 'person.admit', $2, $3, $4, p.id, jsonb_build_object('issuer', p.issuer, 'subject', p.subject)
        from people p where p.id = $1;
        perform pg_notify('almanac_people', '');
    end if;
    return query select * from people p where p.id = $1;
end $$;

-- Changes the name, or the role of a person by invitation with its scopes; null keeps either. A new role ends the
-- person's sessions. Returns no row if there is no person with the id.
create function change_person(
    id text, name text, role text, scopes text[], author text, author_kind text, author_token text)
    returns setof people language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    before people;
begin
    select * into before from people p where p.id = $1 for update;
    if not found then return; end if;
    if $3 <> before.role then
        update people p set role = $3, scopes = $4 where p.id = $1;
        perform end_sessions(before.issuer, before.subject);
        insert into audit_log (action, author, author_kind, token_id, subject, details)
        values ('person.role', $5, $6, $7, $1, jsonb_build_object('issuer', before.issuer, 'subject', before.subject,
            'before', before.role, 'after', $3));
    end if;
    if $2 is distinct from before.name and $2 is not null then
        update people p set name = $2 where p.id = $1;
        insert into audit_log (action, author, author_kind, token_id, subject, details)
        values ('person.rename', $5, $6, $7, $1,
            jsonb_build_object('issuer', before.issuer, 'subject', before.subject));
    end if;
    perform pg_notify('almanac_people', '');
    return query select * from people p where p.id = $1;
end $$;

-- Makes a token with an owner and a purpose; an owner of null is that of a service account.
create function make_api_token(digest bytea, label text, scopes text[], expires_at timestamptz, owner_issuer text,
    owner_subject text, purpose text, author text, author_kind text, author_token text)
    returns api_tokens language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    made api_tokens;
begin
    insert into api_tokens (id, digest, label, scopes, expires_at, owner_issuer, owner_subject, purpose)
    values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 8), $1, $2, $3, $4, $5, $6, $7)
    returning * into made;
    insert into audit_log (action, author, author_kind, token_id, subject, details)
    values ('token.create', $8, $9, $10, made.id, audit_of_token(made));
    return made;
end $$;

-- Changes the label and the purpose of a token, where null keeps either, and the owner if asked to. A new owner ends
-- the sessions that act as the old owner. Returns no row if there is no token with the id.
create function change_api_token(id text, label text, purpose text, sets_owner boolean, owner_issuer text,
    owner_subject text, author text, author_kind text, author_token text)
    returns setof api_tokens language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    before api_tokens;
    changed api_tokens;
    ended text;
begin
    select * into before from api_tokens t where t.id = $1 for update;
    if not found then return; end if;
    update api_tokens t set label = coalesce($2, t.label), purpose = coalesce($3, t.purpose),
        owner_issuer = case when $4 then $5 else t.owner_issuer end,
        owner_subject = case when $4 then $6 else t.owner_subject end
    where t.id = $1 returning * into changed;
    if changed is distinct from before then
        insert into audit_log (action, author, author_kind, token_id, subject, details)
        values ('token.change', $7, $8, $9, $1, audit_of_token(changed));
    end if;
    for ended in
        delete from sessions s where s.token_id = $1 and s.subject is not null
            and (s.issuer, s.subject) is distinct from (changed.owner_issuer, changed.owner_subject)
        returning s.id
    loop
        perform pg_notify('almanac_sessions', ended);
    end loop;
    return next changed;
end $$;

-- Replaces a token by one with the same label, scopes, owner and purpose. Returns no row if no valid token has the id.
create or replace function rotate_api_token(
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
    insert into api_tokens (id, digest, label, scopes, expires_at, owner_issuer, owner_subject, purpose)
    values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 8), $2, old.label, old.scopes,
        coalesce($3, now + (old.expires_at - old.created_at)), old.owner_issuer, old.owner_subject, old.purpose)
    returning * into made;
    insert into audit_log (action, author, author_kind, token_id, subject, details)
    select 'token.rotate', $5, $6, $7, t.id, audit_of_token(t) || jsonb_build_object('successor', made.id)
    from api_tokens t where t.id = $1;
    insert into audit_log (action, author, author_kind, token_id, subject, details)
    values ('token.create', $5, $6, $7, made.id, audit_of_token(made));
    return next made;
end $$;

grant select on people to almanac_worker;
revoke all on function
    audit_of_token, see_people, end_sessions, remove_person, admit_person, change_person, change_api_token from public;
revoke all on function
    begin_session(bytea, text, text, text, text, text, text, text[], interval, timestamptz, text, text),
    make_api_token(bytea, text, text[], timestamptz, text, text, text, text, text, text) from public;
grant execute on function see_people, remove_person, admit_person, change_person, change_api_token,
    begin_session(bytea, text, text, text, text, text, text, text[], interval, timestamptz, text, text),
    make_api_token(bytea, text, text[], timestamptz, text, text, text, text, text, text) to almanac_worker;
