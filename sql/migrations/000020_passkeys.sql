-- Passkeys, and the invitations by which people get them. Secrets of links are stored as SHA-256 only.

create table passkeys (
    id text primary key check (id ~ '^[a-z0-9]{12}$'),
    person_id text not null references people,
    credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
    public_key bytea not null check (octet_length(public_key) <= 1024),
    counter bigint not null check (counter between 0 and 4294967295),
    is_backup_eligible boolean not null,
    transports text[] not null default '{}' check (cardinality(transports) <= 8),
    label text not null check (char_length(label) between 1 and 100),
    created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    last_used_at timestamptz(3)
);
comment on column passkeys.credential_id is 'The id that the authenticator chose.';
comment on column passkeys.public_key is 'The COSE key of the registration.';
comment on column passkeys.counter is 'The signatures at the last sign-in; 0 for an authenticator that does not count.';
comment on column passkeys.is_backup_eligible is 'The key may be copied to other devices of its person.';
comment on column passkeys.transports is 'The ways to reach the authenticator, as hints for browsers.';
create index passkeys_person_id on passkeys (person_id);

create table invitations (
    id text primary key check (id ~ '^[a-z0-9]{12}$'),
    digest bytea not null unique check (octet_length(digest) = 32),
    name text check (char_length(name) between 1 and 100),
    role text not null check (role in ('viewer', 'editor', 'approver', 'admin')),
    scopes text[] not null check (cardinality(scopes) > 0),
    person_id text references people,
    subject text collate "C" not null check (subject ~ '^[A-Za-z0-9_-]{43}$'),
    author text not null,
    author_kind text not null check (author_kind in ('token', 'user', 'host')),
    token_id text references api_tokens,
    inviter_issuer text collate "C",
    inviter_subject text collate "C",
    created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    expires_at timestamptz(3) not null,
    accepted_at timestamptz(3),
    check ((name is null) = (accepted_at is not null)),
    check ((inviter_issuer is null) = (inviter_subject is null))
);
comment on column invitations.name is 'The name of the invited person; null once the person has it.';
comment on column invitations.scopes is 'The scopes of the role.';
comment on column invitations.person_id is
    'The person who gets another passkey and is admitted again; null for a new person.';
comment on column invitations.subject is
    'The user handle of the passkey, 32 bytes in base64url, which is the subject of its person.';
create index invitations_expires_at on invitations (expires_at);

-- The challenges that people have used, so that nobody uses them again. Unused challenges are not stored: the key of
-- event_ticket_keys authenticates them.
create table used_challenges (
    digest bytea primary key check (octet_length(digest) = 32),
    expires_at timestamptz(3) not null
);

alter table sessions drop constraint sessions_how_check;
alter table sessions add constraint sessions_how_check check (how in ('token', 'code', 'provider', 'passkey'));

-- Returns true if the person or token that made an invitation could still make it.
create function has_inviter(made invitations) returns boolean
    language sql stable set search_path = pg_catalog, public, pg_temp
    return ((made).token_id is null or exists (
            select from api_tokens t where t.id = (made).token_id and t.revoked_at is null
                and (t.expires_at is null or t.expires_at > clock_timestamp()) and 'admin' = any (t.scopes)))
        and ((made).inviter_subject is null or exists (
            select from people p
            where p.issuer = (made).inviter_issuer and p.subject = (made).inviter_subject and p.removed_at is null
                and ((made).token_id is not null or 'admin' = any (p.scopes))));

-- Makes an invitation. Returns no row if it is for an existing person, and no person of the issuer has that id.
create function make_invitation(digest bytea, name text, role text, scopes text[], person_id text, issuer text,
    subject text, lifetime interval, inviter_issuer text, inviter_subject text,
    author text, author_kind text, author_token text)
    returns setof invitations language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
    known text;
    made invitations;
begin
    if $5 is not null then
        select p.subject into known from people p where p.id = $5 and p.issuer = $6;
        if not found then return; end if;
    end if;
    insert into invitations (id, digest, name, role, scopes, person_id, subject, author, author_kind, token_id,
        inviter_issuer, inviter_subject, created_at, expires_at)
    values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 12), $1, $2, $3, $4, $5, coalesce(known, $7),
        $11, $12, $13, $9, $10, now, now + $8)
    returning * into made;
    insert into audit_log (action, author, author_kind, token_id, subject, details)
    values ('invitation.create', $11, $12, $13, made.id,
        jsonb_strip_nulls(jsonb_build_object('role', $3, 'person', $5)));
    return next made;
end $$;

-- Deletes an invitation. Returns false if there is none that is open.
create function revoke_invitation(id text, author text, author_kind text, author_token text)
    returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    delete from invitations i where i.id = $1 and i.accepted_at is null;
    if not found then return false; end if;
    insert into audit_log (action, author, author_kind, token_id, subject)
    values ('invitation.revoke', $2, $3, $4, $1);
    return true;
end $$;

-- Accepts an invitation once. The person is new, or gets the name and the role and is admitted again. Returns no row if
-- the invitation is not open, or if it is for another person.
--
-- The subject is null for that of the invitation, or the subject of a passkey that other environments know.
create function accept_invitation(digest bytea, issuer text, subject text)
    returns setof people language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    invitation invitations;
    before people;
    person people;
begin
    -- Locks the person before the invitation, like a removal, which deletes the person's invitations.
    select * into invitation from invitations i where i.digest = $1;
    select * into before from people p
    where p.issuer = $2 and p.subject = coalesce($3, invitation.subject) for update;
    select * into invitation from invitations i
    where i.digest = $1 and i.accepted_at is null and i.expires_at > clock_timestamp() for update;
    if not found or not has_inviter(invitation) then return; end if;
    if invitation.person_id is not null and $3 <> invitation.subject then return; end if;
    if before.id is not null and before.source <> 'invitation' then return; end if;
    -- The role of a present person changes only by an invitation for that person.
    if before.removed_at is null and before.id <> coalesce(invitation.person_id, '') then return; end if;
    if before.id is null then
        insert into people (id, issuer, subject, name, role, source, scopes)
        values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 12), $2, coalesce($3, invitation.subject),
            invitation.name, invitation.role, 'invitation', invitation.scopes)
        returning * into person;
    else
        update people p set name = invitation.name, role = invitation.role, scopes = invitation.scopes,
            removed_at = null
        where p.id = before.id returning * into person;
        if before.role <> person.role then perform end_sessions(person.issuer, person.subject); end if;
    end if;
    update invitations i set accepted_at = date_trunc('milliseconds', clock_timestamp()), name = null
    where i.id = invitation.id;
    insert into audit_log (action, author, author_kind, subject, details)
    values ('invitation.accept', person.subject, 'user', invitation.id,
        jsonb_build_object('person', person.id, 'issuer', person.issuer, 'role', person.role));
    perform pg_notify('almanac_people', '');
    return next person;
end $$;

-- Adds a passkey of a person, who may have 20. Returns no row beyond that, or if the person was removed.
create function add_passkey(person_id text, credential_id bytea, public_key bytea, counter bigint,
    is_backup_eligible boolean, transports text[], label text)
    returns setof passkeys language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    person people;
    made passkeys;
begin
    -- The lock makes a removal wait for the passkey, which it then deletes.
    select * into person from people p where p.id = $1 and p.removed_at is null for update;
    if not found or (select count(*) from passkeys k where k.person_id = $1) >= 20 then return; end if;
    insert into passkeys (id, person_id, credential_id, public_key, counter, is_backup_eligible, transports, label)
    values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 12), $1, $2, $3, $4, $5, $6, $7)
    returning * into made;
    insert into audit_log (action, author, author_kind, subject, details)
    values ('passkey.add', person.subject, 'user', made.id, jsonb_build_object('person', $1, 'label', $7));
    return next made;
end $$;

-- Removes a passkey of a person, and ends the sessions that the passkey began. Returns false if the person has no such
-- passkey.
create function remove_passkey(id text, issuer text, subject text)
    returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    removed passkeys;
    ended text;
begin
    delete from passkeys k using people p
    where k.id = $1 and p.id = k.person_id and p.issuer = $2 and p.subject = $3 returning k.* into removed;
    if not found then return false; end if;
    for ended in delete from sessions s where s.passkey_id = $1 returning s.id loop
        perform pg_notify('almanac_sessions', ended);
    end loop;
    insert into audit_log (action, author, author_kind, subject, details)
    values ('passkey.remove', $3, 'user', $1,
        jsonb_build_object('person', removed.person_id, 'label', removed.label));
    return true;
end $$;

-- Records a sign-in with a passkey. Returns false if the counter does not go forward, or if the passkey was removed. A
-- removal locks the person first, so this does, too.
create function use_passkey(id text, counter bigint)
    returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    perform from people p where p.id = (select k.person_id from passkeys k where k.id = $1) for no key update;
    update passkeys k set counter = $2, last_used_at = date_trunc('milliseconds', clock_timestamp())
    where k.id = $1 and (k.counter < $2 or k.counter = 0 and $2 = 0);
    return found;
end $$;

-- Deletes the passkeys of a removed person and the open invitations for the person.
create function forget_passkeys() returns trigger
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    delete from passkeys k where k.person_id = new.id;
    delete from invitations i where i.person_id = new.id and i.accepted_at is null;
    return null;
end $$;
create trigger people_removed after update of removed_at on people
    for each row when (old.removed_at is null and new.removed_at is not null) execute function forget_passkeys();

-- Removes a batch of ended sessions and the like, and returns their number. Invitations stay for a week after their
-- end, so that their links say why they do not work.
create or replace function remove_ended_sessions(most integer)
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
    ), i as (
        delete from invitations where id in (
            select i.id from invitations i where i.expires_at < now() - interval '7 days' limit most
            for update skip locked)
        returning 1
    ), u as (
        -- The clocks of the workers, which check the expiry, may differ a little.
        delete from used_challenges where digest in (
            select u.digest from used_challenges u where u.expires_at < now() - interval '1 hour' limit most
            for update skip locked)
        returning 1
    )
    select (select count(*) from s) + (select count(*) from c) + (select count(*) from l) + (select count(*) from i)
        + (select count(*) from u);
end;

grant select on passkeys to almanac_worker;
grant select on invitations to almanac_worker;
grant select, insert on used_challenges to almanac_worker;
revoke all on function
    make_invitation, revoke_invitation, accept_invitation, add_passkey, remove_passkey, use_passkey,
    forget_passkeys from public;
grant execute on function
    has_inviter, make_invitation, revoke_invitation, accept_invitation, add_passkey, remove_passkey, use_passkey
    to almanac_worker;
