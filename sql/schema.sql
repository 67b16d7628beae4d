-- The schema that the migrations make, as pg_dump shows it. Written by a test, never by hand:
--     ALMANAC_UPDATE_SCHEMA=1 deploy/test

CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;

COMMENT ON EXTENSION btree_gin IS 'support for indexing common datatypes in GIN';

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

COMMENT ON EXTENSION btree_gist IS 'support for indexing common datatypes in GiST';

CREATE TABLE public.people (
    id text NOT NULL,
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    name text,
    role text,
    source text NOT NULL,
    scopes text[] DEFAULT '{}'::text[] NOT NULL,
    first_seen_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    last_seen_at timestamp(3) with time zone,
    removed_at timestamp(3) with time zone,
    CONSTRAINT people_check CHECK (((source = 'invitation'::text) = (role IS NOT NULL))),
    CONSTRAINT people_id_check CHECK ((id ~ '^[a-z0-9]{12}$'::text)),
    CONSTRAINT people_issuer_check CHECK (((octet_length(issuer) >= 1) AND (octet_length(issuer) <= 1000))),
    CONSTRAINT people_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT people_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text, 'approver'::text, 'admin'::text]))),
    CONSTRAINT people_source_check CHECK ((source = ANY (ARRAY['claim'::text, 'invitation'::text, 'token'::text]))),
    CONSTRAINT people_subject_check CHECK (((octet_length(subject) >= 1) AND (octet_length(subject) <= 1000)))
);

ALTER TABLE public.people OWNER TO almanac_owner;

COMMENT ON COLUMN public.people.name IS 'Null if the provider gives no name, or if the name was erased.';

COMMENT ON COLUMN public.people.role IS 'The role of a person by invitation. The role of a person by claim is computed from the scopes.';

COMMENT ON COLUMN public.people.source IS 'The claim of a provider, an invitation, or a token whose owner the person is and who has not signed in otherwise.';

COMMENT ON COLUMN public.people.scopes IS 'The scopes at the last sign-in; those of the role for a person by invitation.';

COMMENT ON COLUMN public.people.last_seen_at IS 'Null for an owner of tokens who has not signed in.';

COMMENT ON COLUMN public.people.removed_at IS 'Every call of a removed person is refused.';

CREATE FUNCTION public.accept_invitation(digest bytea, issuer text, subject text) RETURNS SETOF public.people
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.accept_invitation(digest bytea, issuer text, subject text) OWNER TO almanac_owner;

CREATE FUNCTION public.add_event(event_id text, type text, keys text[], key text, revision bigint, facts jsonb) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
declare
    added bigint;
begin
    insert into deliveries (hook_id, event_id, type, key, revision, facts)
    select h.id, $1, $2, $4, $5, coalesce($6, '{}')
    from hooks h
    where h.disabled_at is null and $2 = any (h.types) and (
        cardinality(h.keys) = 0 or cardinality($3) = 0 or exists (
            select from unnest(h.keys) p, unnest($3) k
            where k = p or right(p, 1) = '*' and starts_with(k, left(p, -1))))
    on conflict do nothing;
    get diagnostics added = row_count;
    if added > 0 then perform pg_notify('almanac_hooks', ''); end if;
    return added;
end $_$;

ALTER FUNCTION public.add_event(event_id text, type text, keys text[], key text, revision bigint, facts jsonb) OWNER TO almanac_owner;

CREATE TABLE public.passkeys (
    id text NOT NULL,
    person_id text NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    is_backup_eligible boolean NOT NULL,
    transports text[] DEFAULT '{}'::text[] NOT NULL,
    label text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    last_used_at timestamp(3) with time zone,
    CONSTRAINT passkeys_counter_check CHECK (((counter >= 0) AND (counter <= '4294967295'::bigint))),
    CONSTRAINT passkeys_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023))),
    CONSTRAINT passkeys_id_check CHECK ((id ~ '^[a-z0-9]{12}$'::text)),
    CONSTRAINT passkeys_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 100))),
    CONSTRAINT passkeys_public_key_check CHECK ((octet_length(public_key) <= 1024)),
    CONSTRAINT passkeys_transports_check CHECK ((cardinality(transports) <= 8))
);

ALTER TABLE public.passkeys OWNER TO almanac_owner;

COMMENT ON COLUMN public.passkeys.credential_id IS 'The id that the authenticator chose.';

COMMENT ON COLUMN public.passkeys.public_key IS 'The COSE key of the registration.';

COMMENT ON COLUMN public.passkeys.counter IS 'The signatures at the last sign-in; 0 for an authenticator that does not count.';

COMMENT ON COLUMN public.passkeys.is_backup_eligible IS 'The key may be copied to other devices of its person.';

COMMENT ON COLUMN public.passkeys.transports IS 'The ways to reach the authenticator, as hints for browsers.';

CREATE FUNCTION public.add_passkey(person_id text, credential_id bytea, public_key bytea, counter bigint, is_backup_eligible boolean, transports text[], label text) RETURNS SETOF public.passkeys
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.add_passkey(person_id text, credential_id bytea, public_key bytea, counter bigint, is_backup_eligible boolean, transports text[], label text) OWNER TO almanac_owner;

CREATE FUNCTION public.add_release_events() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
declare
    prefix text;
    changed text[];
    disabled text;
begin
    if not exists (select from hooks where disabled_at is null) then return null; end if;
    select h.lineage || ':r' || new.revision into strict prefix from config_head h;
    select coalesce(array_agg(c.key order by c.key), '{}') into changed
    from config_changes c where c.revision = new.revision;
    perform add_event(prefix || ':release:created', 'release.created', changed, null, new.revision, null);
    for disabled in
        select c.key from config_changes c
        where c.revision = new.revision and c.kind = 'flag' and c.after ->> 'state' = 'DISABLED'
            and c.before ->> 'state' <> 'DISABLED'
        order by c.key
    loop
        perform add_event(prefix || ':flag:disabled:' || replace(disabled, '.', ':'), 'flag.disabled',
            array[disabled], disabled, new.revision, null);
    end loop;
    return null;
end $$;

ALTER FUNCTION public.add_release_events() OWNER TO almanac_owner;

CREATE FUNCTION public.admit_person(id text, author text, author_kind text, author_token text) RETURNS SETOF public.people
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
begin
    update people p set removed_at = null where p.id = $1 and p.removed_at is not null;
    if found then
        insert into audit_log (action, author, author_kind, token_id, subject, details)
        select 'person.admit', $2, $3, $4, p.id, jsonb_build_object('issuer', p.issuer, 'subject', p.subject)
        from people p where p.id = $1;
        perform pg_notify('almanac_people', '');
    end if;
    return query select * from people p where p.id = $1;
end $_$;

ALTER FUNCTION public.admit_person(id text, author text, author_kind text, author_token text) OWNER TO almanac_owner;

CREATE TABLE public.api_tokens (
    id text NOT NULL,
    digest bytea NOT NULL,
    label text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    expires_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    owner_issuer text COLLATE pg_catalog."C",
    owner_subject text COLLATE pg_catalog."C",
    purpose text DEFAULT ''::text NOT NULL,
    CONSTRAINT api_tokens_digest_check CHECK ((octet_length(digest) = 32)),
    CONSTRAINT api_tokens_id_check CHECK ((id ~ '^[a-z0-9]{8}$'::text)),
    CONSTRAINT api_tokens_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 100))),
    CONSTRAINT api_tokens_purpose_check CHECK ((char_length(purpose) <= 200)),
    CONSTRAINT api_tokens_scopes_check CHECK (((cardinality(scopes) > 0) AND (array_position(scopes, NULL::text) IS NULL) AND (array_to_string(scopes, ' '::text) ~ '^((flags:evaluate|config:read|config:write|config:propose|config:approve|config:bypass|admin|config:(write|approve):[A-Za-z_][A-Za-z0-9_.-]{0,127}[*]?|flags:disable:[A-Za-z_][A-Za-z0-9_.-]{0,127})( |$))+$'::text)))
);

ALTER TABLE public.api_tokens OWNER TO almanac_owner;

COMMENT ON COLUMN public.api_tokens.digest IS 'SHA-256 of the whole token, which has 256 random bits.';

COMMENT ON COLUMN public.api_tokens.owner_issuer IS 'The person who owns the token. Null for the token of a service account.';

CREATE FUNCTION public.audit_of_token(made public.api_tokens) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    RETURN (jsonb_build_object('label', (made).label, 'scopes', to_jsonb((made).scopes), 'expires_at', to_char(((made).expires_at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text)) || jsonb_strip_nulls(jsonb_build_object('owner', (made).owner_subject, 'owner_issuer', (made).owner_issuer, 'purpose', NULLIF((made).purpose, ''::text))));

ALTER FUNCTION public.audit_of_token(made public.api_tokens) OWNER TO almanac_owner;

CREATE TABLE public.sessions (
    id text NOT NULL,
    digest bytea NOT NULL,
    application text NOT NULL,
    how text NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    token_id text,
    issuer text COLLATE pg_catalog."C",
    subject text COLLATE pg_catalog."C",
    signed_in_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    last_used_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    idle interval NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    ends_at timestamp(3) with time zone NOT NULL,
    passkey_id text,
    CONSTRAINT sessions_application_check CHECK ((application = ANY (ARRAY['console'::text, 'notes'::text]))),
    CONSTRAINT sessions_check CHECK ((expires_at <= ends_at)),
    CONSTRAINT sessions_check1 CHECK ((((token_id IS NOT NULL) OR (subject IS NOT NULL)) AND ((issuer IS NULL) = (subject IS NULL)))),
    CONSTRAINT sessions_check2 CHECK (
CASE application
    WHEN 'console'::text THEN (cardinality(scopes) > 0)
    ELSE ((cardinality(scopes) = 0) AND (subject IS NOT NULL))
END),
    CONSTRAINT sessions_digest_check CHECK ((octet_length(digest) = 32)),
    CONSTRAINT sessions_how_check CHECK ((how = ANY (ARRAY['token'::text, 'code'::text, 'provider'::text, 'passkey'::text]))),
    CONSTRAINT sessions_id_check CHECK ((id ~ '^[a-z0-9]{12}$'::text)),
    CONSTRAINT sessions_idle_check CHECK ((idle > '00:00:00'::interval)),
    CONSTRAINT sessions_scopes_check CHECK (((array_position(scopes, NULL::text) IS NULL) AND (array_to_string(scopes, ' '::text) ~ '^((flags:evaluate|config:read|config:write|config:propose|config:approve|config:bypass|admin|config:(write|approve):[A-Za-z_][A-Za-z0-9_.-]{0,127}[*]?|flags:disable:[A-Za-z_][A-Za-z0-9_.-]{0,127})( |$))*$'::text)))
);

ALTER TABLE public.sessions OWNER TO almanac_owner;

COMMENT ON COLUMN public.sessions.id IS 'Names it, and is no secret.';

COMMENT ON COLUMN public.sessions.digest IS 'SHA-256 of the 32 random bytes that the cookie holds.';

COMMENT ON COLUMN public.sessions.name IS 'The subject of the person, or the label of the API token for a session without an owner.';

COMMENT ON COLUMN public.sessions.scopes IS 'Never more than those of the API token that it was made of, which also ends it.';

COMMENT ON COLUMN public.sessions.idle IS 'How long it may go unused.';

COMMENT ON COLUMN public.sessions.expires_at IS 'When it ends if it is not used again.';

COMMENT ON COLUMN public.sessions.ends_at IS 'When it ends however much it is used.';

COMMENT ON COLUMN public.sessions.passkey_id IS 'The passkey that began the session, which ends with the passkey.';

CREATE FUNCTION public.begin_session(digest bytea, application text, how text, token_id text, issuer text, subject text, scopes text[], idle interval, ends_at timestamp with time zone, replaces text) RETURNS SETOF public.sessions
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.begin_session(digest bytea, application text, how text, token_id text, issuer text, subject text, scopes text[], idle interval, ends_at timestamp with time zone, replaces text) OWNER TO almanac_owner;

CREATE FUNCTION public.begin_session(digest bytea, application text, how text, token_id text, issuer text, subject text, name text, scopes text[], idle interval, ends_at timestamp with time zone, replaces text, passkey text) RETURNS SETOF public.sessions
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.begin_session(digest bytea, application text, how text, token_id text, issuer text, subject text, name text, scopes text[], idle interval, ends_at timestamp with time zone, replaces text, passkey text) OWNER TO almanac_owner;

CREATE FUNCTION public.change_api_token(id text, label text, purpose text, sets_owner boolean, owner_issuer text, owner_subject text, author text, author_kind text, author_token text) RETURNS SETOF public.api_tokens
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.change_api_token(id text, label text, purpose text, sets_owner boolean, owner_issuer text, owner_subject text, author text, author_kind text, author_token text) OWNER TO almanac_owner;

CREATE FUNCTION public.change_person(id text, name text, role text, scopes text[], author text, author_kind text, author_token text) RETURNS SETOF public.people
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.change_person(id text, name text, role text, scopes text[], author text, author_kind text, author_token text) OWNER TO almanac_owner;

CREATE FUNCTION public.end_session(id text, action text, author text, author_kind text, author_token text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.end_session(id text, action text, author text, author_kind text, author_token text) OWNER TO almanac_owner;

CREATE FUNCTION public.end_sessions(issuer text, subject text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.end_sessions(issuer text, subject text) OWNER TO almanac_owner;

CREATE TABLE public.session_codes (
    digest bytea NOT NULL,
    application text NOT NULL,
    token_id text,
    issuer text COLLATE pg_catalog."C",
    subject text COLLATE pg_catalog."C",
    session_ends_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT session_codes_application_check CHECK ((application = ANY (ARRAY['console'::text, 'notes'::text]))),
    CONSTRAINT session_codes_check CHECK ((((token_id IS NULL) <> (subject IS NULL)) AND ((issuer IS NULL) = (subject IS NULL)))),
    CONSTRAINT session_codes_digest_check CHECK ((octet_length(digest) = 32))
);

ALTER TABLE public.session_codes OWNER TO almanac_owner;

COMMENT ON COLUMN public.session_codes.session_ends_at IS 'When the access token of the user ends, and with it the session.';

CREATE FUNCTION public.erase_sessions(issuer text, subject text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    BEGIN ATOMIC
 SELECT pg_notify('almanac_sessions'::text, s.id) AS pg_notify
    FROM public.sessions s
   WHERE ((s.issuer = erase_sessions.issuer) AND (s.subject = erase_sessions.subject) AND (s.application = 'notes'::text));
 DELETE FROM public.session_codes c
   WHERE ((c.issuer = erase_sessions.issuer) AND (c.subject = erase_sessions.subject));
 DELETE FROM public.sessions s
   WHERE ((s.issuer = erase_sessions.issuer) AND (s.subject = erase_sessions.subject) AND (s.application = 'notes'::text));
END;

ALTER FUNCTION public.erase_sessions(issuer text, subject text) OWNER TO almanac_owner;

CREATE FUNCTION public.finish_delivery(id bigint, attempt integer, status integer, milliseconds integer, state text, delay interval, reason text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
declare
    now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
    hook text;
begin
    update deliveries d set status = $3, milliseconds = $4, state = $5, leased_until = null,
        next_attempt_at = now + coalesce($6, interval '0')
    where d.id = $1 and d.attempts = $2 and d.state = 'open' returning d.hook_id into hook;
    if not found then return false; end if;
    if $7 is null then return true; end if;
    update hooks h set disabled_at = now, disabled_reason = $7 where h.id = hook and h.disabled_at is null;
    if not found then return true; end if;
    insert into audit_log (action, author, author_kind, subject, details)
    values ('hook.disable', 'almanac', 'host', hook, jsonb_build_object('reason', $7));
    perform add_event(
        (select c.lineage from config_head c) || ':h' || hook || ':'
            || floor(extract(epoch from now) * 1000)::bigint || ':hook:disabled',
        'hook.disabled', '{}', null, null, jsonb_build_object('hook', hook, 'reason', $7));
    return true;
end $_$;

ALTER FUNCTION public.finish_delivery(id bigint, attempt integer, status integer, milliseconds integer, state text, delay interval, reason text) OWNER TO almanac_owner;

CREATE FUNCTION public.forget_passkeys() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
    delete from passkeys k where k.person_id = new.id;
    delete from invitations i where i.person_id = new.id and i.accepted_at is null;
    return null;
end $$;

ALTER FUNCTION public.forget_passkeys() OWNER TO almanac_owner;

CREATE TABLE public.invitations (
    id text NOT NULL,
    digest bytea NOT NULL,
    name text,
    role text NOT NULL,
    scopes text[] NOT NULL,
    person_id text,
    subject text NOT NULL COLLATE pg_catalog."C",
    author text NOT NULL,
    author_kind text NOT NULL,
    token_id text,
    inviter_issuer text COLLATE pg_catalog."C",
    inviter_subject text COLLATE pg_catalog."C",
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    accepted_at timestamp(3) with time zone,
    CONSTRAINT invitations_author_kind_check CHECK ((author_kind = ANY (ARRAY['token'::text, 'user'::text, 'host'::text]))),
    CONSTRAINT invitations_check CHECK (((name IS NULL) = (accepted_at IS NOT NULL))),
    CONSTRAINT invitations_check1 CHECK (((inviter_issuer IS NULL) = (inviter_subject IS NULL))),
    CONSTRAINT invitations_digest_check CHECK ((octet_length(digest) = 32)),
    CONSTRAINT invitations_id_check CHECK ((id ~ '^[a-z0-9]{12}$'::text)),
    CONSTRAINT invitations_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text, 'approver'::text, 'admin'::text]))),
    CONSTRAINT invitations_scopes_check CHECK ((cardinality(scopes) > 0)),
    CONSTRAINT invitations_subject_check CHECK ((subject ~ '^[A-Za-z0-9_-]{43}$'::text))
);

ALTER TABLE public.invitations OWNER TO almanac_owner;

COMMENT ON COLUMN public.invitations.name IS 'The name of the invited person; null once the person has it.';

COMMENT ON COLUMN public.invitations.scopes IS 'The scopes of the role.';

COMMENT ON COLUMN public.invitations.person_id IS 'The person who gets another passkey and is admitted again; null for a new person.';

COMMENT ON COLUMN public.invitations.subject IS 'The user handle of the passkey, 32 bytes in base64url, which is the subject of its person.';

CREATE FUNCTION public.has_inviter(made public.invitations) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    RETURN ((((made).token_id IS NULL) OR (EXISTS (SELECT FROM public.api_tokens t WHERE ((t.id = (has_inviter.made).token_id) AND (t.revoked_at IS NULL) AND ((t.expires_at IS NULL) OR (t.expires_at > clock_timestamp())) AND ('admin'::text = ANY (t.scopes)))))) AND (((made).inviter_subject IS NULL) OR (EXISTS (SELECT FROM public.people p WHERE ((p.issuer = (has_inviter.made).inviter_issuer) AND (p.subject = (has_inviter.made).inviter_subject) AND (p.removed_at IS NULL) AND (((has_inviter.made).token_id IS NOT NULL) OR ('admin'::text = ANY (p.scopes))))))));

ALTER FUNCTION public.has_inviter(made public.invitations) OWNER TO almanac_owner;

CREATE TABLE public.deliveries (
    id bigint NOT NULL,
    hook_id text NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    key text COLLATE pg_catalog."C",
    revision bigint,
    facts jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    leased_until timestamp(3) with time zone,
    status integer,
    milliseconds integer,
    CONSTRAINT deliveries_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT deliveries_facts_check CHECK ((jsonb_typeof(facts) = 'object'::text)),
    CONSTRAINT deliveries_state_check CHECK ((state = ANY (ARRAY['open'::text, 'delivered'::text, 'failed'::text])))
);

ALTER TABLE public.deliveries OWNER TO almanac_owner;

COMMENT ON TABLE public.deliveries IS 'The outbox: one row for each hook and event. Values of keys are not stored here, but read from config_changes.';

COMMENT ON COLUMN public.deliveries.key IS 'The key of an event about one key.';

COMMENT ON COLUMN public.deliveries.facts IS 'The members of the body of an event that is no release.';

COMMENT ON COLUMN public.deliveries.leased_until IS 'The end of the time in which one worker may send the request.';

COMMENT ON COLUMN public.deliveries.status IS 'The HTTP status of the last answer; null without an answer.';

COMMENT ON COLUMN public.deliveries.milliseconds IS 'The duration of the last attempt.';

CREATE TABLE public.hooks (
    id text NOT NULL,
    url text NOT NULL,
    label text NOT NULL,
    format text NOT NULL,
    types text[] NOT NULL,
    keys text[] DEFAULT '{}'::text[] NOT NULL,
    secret text NOT NULL,
    previous_secret text,
    previous_secret_until timestamp(3) with time zone,
    author text NOT NULL,
    author_kind text NOT NULL,
    token_id text,
    issuer text COLLATE pg_catalog."C",
    subject text COLLATE pg_catalog."C",
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    disabled_at timestamp(3) with time zone,
    disabled_reason text,
    CONSTRAINT hooks_author_kind_check CHECK ((author_kind = ANY (ARRAY['token'::text, 'user'::text, 'host'::text]))),
    CONSTRAINT hooks_check CHECK (((previous_secret IS NULL) = (previous_secret_until IS NULL))),
    CONSTRAINT hooks_check1 CHECK (((issuer IS NULL) = (subject IS NULL))),
    CONSTRAINT hooks_check2 CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
    CONSTRAINT hooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['gone'::text, 'exhausted'::text, 'restored'::text]))),
    CONSTRAINT hooks_format_check CHECK ((format = ANY (ARRAY['json'::text, 'slack'::text, 'discord'::text, 'teams'::text]))),
    CONSTRAINT hooks_id_check CHECK ((id ~ '^[a-z0-9]{12}$'::text)),
    CONSTRAINT hooks_keys_check CHECK ((cardinality(keys) <= 100)),
    CONSTRAINT hooks_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 100))),
    CONSTRAINT hooks_types_check CHECK ((cardinality(types) > 0)),
    CONSTRAINT hooks_url_check CHECK (((octet_length(url) >= 1) AND (octet_length(url) <= 2048)))
);

ALTER TABLE public.hooks OWNER TO almanac_owner;

COMMENT ON COLUMN public.hooks.types IS 'The types of the events that the receiver gets.';

COMMENT ON COLUMN public.hooks.keys IS 'Keys, and prefixes with a star. An empty array is all keys.';

COMMENT ON COLUMN public.hooks.secret IS 'The secret in its text form. Signing needs it, so it is no hash.';

COMMENT ON COLUMN public.hooks.subject IS 'With issuer: the person who made the hook.';

CREATE FUNCTION public.lease_delivery() RETURNS SETOF public.deliveries
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    BEGIN ATOMIC
 WITH due AS (
          SELECT d.id
            FROM (public.hooks h
              CROSS JOIN LATERAL ( SELECT o.id,
                     o.next_attempt_at,
                     o.leased_until
                    FROM public.deliveries o
                   WHERE ((o.hook_id = h.id) AND (o.state = 'open'::text))
                   ORDER BY o.id
                  LIMIT 1) d)
           WHERE ((h.disabled_at IS NULL) AND (d.next_attempt_at <= clock_timestamp()) AND ((d.leased_until IS NULL) OR (d.leased_until <= clock_timestamp())))
           ORDER BY d.next_attempt_at
          LIMIT 1
         )
  UPDATE public.deliveries l SET leased_until = (clock_timestamp() + '00:00:30'::interval), attempts = (l.attempts + 1)
    FROM due
   WHERE ((l.id = due.id) AND (l.state = 'open'::text) AND ((l.leased_until IS NULL) OR (l.leased_until <= clock_timestamp())))
   RETURNING l.id,
     l.hook_id,
     l.event_id,
     l.type,
     l.key,
     l.revision,
     l.facts,
     l.created_at,
     l.state,
     l.attempts,
     l.next_attempt_at,
     l.leased_until,
     l.status,
     l.milliseconds;
END;

ALTER FUNCTION public.lease_delivery() OWNER TO almanac_owner;

CREATE FUNCTION public.make_api_token(digest bytea, label text, scopes text[], expires_at timestamp with time zone, author text, author_kind text, author_token text) RETURNS public.api_tokens
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
declare
    made api_tokens;
begin
    insert into api_tokens (id, digest, label, scopes, expires_at)
    values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 8), $1, $2, $3, $4) returning * into made;
    insert into audit_log (action, author, author_kind, token_id, subject, details)
    values ('token.create', $5, $6, $7, made.id, audit_of_token(made));
    return made;
end $_$;

ALTER FUNCTION public.make_api_token(digest bytea, label text, scopes text[], expires_at timestamp with time zone, author text, author_kind text, author_token text) OWNER TO almanac_owner;

CREATE FUNCTION public.make_api_token(digest bytea, label text, scopes text[], expires_at timestamp with time zone, owner_issuer text, owner_subject text, purpose text, author text, author_kind text, author_token text) RETURNS public.api_tokens
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
declare
    made api_tokens;
begin
    insert into api_tokens (id, digest, label, scopes, expires_at, owner_issuer, owner_subject, purpose)
    values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 8), $1, $2, $3, $4, $5, $6, $7)
    returning * into made;
    insert into audit_log (action, author, author_kind, token_id, subject, details)
    values ('token.create', $8, $9, $10, made.id, audit_of_token(made));
    return made;
end $_$;

ALTER FUNCTION public.make_api_token(digest bytea, label text, scopes text[], expires_at timestamp with time zone, owner_issuer text, owner_subject text, purpose text, author text, author_kind text, author_token text) OWNER TO almanac_owner;

CREATE FUNCTION public.make_invitation(digest bytea, name text, role text, scopes text[], person_id text, issuer text, subject text, lifetime interval, inviter_issuer text, inviter_subject text, author text, author_kind text, author_token text) RETURNS SETOF public.invitations
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.make_invitation(digest bytea, name text, role text, scopes text[], person_id text, issuer text, subject text, lifetime interval, inviter_issuer text, inviter_subject text, author text, author_kind text, author_token text) OWNER TO almanac_owner;

CREATE FUNCTION public.make_session_code(digest bytea, application text, token_id text, issuer text, subject text, session_ends_at timestamp with time zone, expires_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
begin
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'session code', $2, $3, $4, $5), 0));
    insert into session_codes (digest, application, token_id, issuer, subject, session_ends_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7);
    delete from session_codes where session_codes.digest in (
        select c.digest from session_codes c
        where c.application = $2 and (c.token_id = $3 or c.issuer = $4 and c.subject = $5)
        order by c.expires_at desc, c.digest = $1 desc offset 20);
end $_$;

ALTER FUNCTION public.make_session_code(digest bytea, application text, token_id text, issuer text, subject text, session_ends_at timestamp with time zone, expires_at timestamp with time zone) OWNER TO almanac_owner;

CREATE FUNCTION public.note_history_bytes(title text, body text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((title IS NULL) AND (body IS NULL)) THEN 0 ELSE GREATEST(1024, (COALESCE(octet_length(title), 0) + COALESCE(octet_length(body), 0))) END;

ALTER FUNCTION public.note_history_bytes(title text, body text) OWNER TO almanac_owner;

CREATE FUNCTION public.note_history_bytes(title text, body text, tags jsonb) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((title IS NULL) AND (body IS NULL) AND (tags IS NULL)) THEN 0 ELSE GREATEST(1024, ((COALESCE(octet_length(title), 0) + COALESCE(octet_length(body), 0)) + COALESCE(octet_length((tags)::text), 0))) END;

ALTER FUNCTION public.note_history_bytes(title text, body text, tags jsonb) OWNER TO almanac_owner;

CREATE FUNCTION public.record_session(action text, author text, author_kind text, token_id text, session text, details jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.record_session(action text, author text, author_kind text, token_id text, session text, details jsonb) OWNER TO almanac_owner;

CREATE TABLE public.login_attempts (
    digest bytea NOT NULL,
    application text NOT NULL,
    return_to text NOT NULL,
    is_fresh boolean NOT NULL,
    replaces text,
    began_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT login_attempts_application_check CHECK ((application = ANY (ARRAY['console'::text, 'notes'::text]))),
    CONSTRAINT login_attempts_digest_check CHECK ((octet_length(digest) = 32)),
    CONSTRAINT login_attempts_return_to_check CHECK ((char_length(return_to) <= 500))
);

ALTER TABLE public.login_attempts OWNER TO almanac_owner;

COMMENT ON COLUMN public.login_attempts.digest IS 'SHA-256 of the 32 random bytes that the browser''s cookie holds.';

COMMENT ON COLUMN public.login_attempts.is_fresh IS 'The provider is to ask the user again, whatever it remembers.';

COMMENT ON COLUMN public.login_attempts.replaces IS 'The session that ends when this one begins.';

CREATE TABLE public.used_challenges (
    digest bytea NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT used_challenges_digest_check CHECK ((octet_length(digest) = 32))
);

ALTER TABLE public.used_challenges OWNER TO almanac_owner;

CREATE FUNCTION public.remove_ended_sessions(most integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    BEGIN ATOMIC
 WITH s AS (
          DELETE FROM public.sessions
           WHERE (sessions.id IN ( SELECT s.id
                    FROM public.sessions s
                   WHERE (s.expires_at < now())
                   ORDER BY s.expires_at
                  LIMIT remove_ended_sessions.most
                  FOR UPDATE OF s SKIP LOCKED))
           RETURNING 1 AS "?column?"
         ), c AS (
          DELETE FROM public.session_codes
           WHERE (session_codes.digest IN ( SELECT c.digest
                    FROM public.session_codes c
                   WHERE (c.expires_at < now())
                  LIMIT remove_ended_sessions.most
                  FOR UPDATE OF c SKIP LOCKED))
           RETURNING 1 AS "?column?"
         ), l AS (
          DELETE FROM public.login_attempts
           WHERE (login_attempts.digest IN ( SELECT l.digest
                    FROM public.login_attempts l
                   WHERE (l.expires_at < now())
                  LIMIT remove_ended_sessions.most
                  FOR UPDATE OF l SKIP LOCKED))
           RETURNING 1 AS "?column?"
         ), i AS (
          DELETE FROM public.invitations
           WHERE (invitations.id IN ( SELECT i.id
                    FROM public.invitations i
                   WHERE (i.expires_at < (now() - '7 days'::interval))
                  LIMIT remove_ended_sessions.most
                  FOR UPDATE OF i SKIP LOCKED))
           RETURNING 1 AS "?column?"
         ), u AS (
          DELETE FROM public.used_challenges
           WHERE (used_challenges.digest IN ( SELECT u.digest
                    FROM public.used_challenges u
                   WHERE (u.expires_at < (now() - '01:00:00'::interval))
                  LIMIT remove_ended_sessions.most
                  FOR UPDATE OF u SKIP LOCKED))
           RETURNING 1 AS "?column?"
         )
  SELECT ((((( SELECT count(*) AS count
            FROM s) + ( SELECT count(*) AS count
            FROM c)) + ( SELECT count(*) AS count
            FROM l)) + ( SELECT count(*) AS count
            FROM i)) + ( SELECT count(*) AS count
            FROM u));
END;

ALTER FUNCTION public.remove_ended_sessions(most integer) OWNER TO almanac_owner;

CREATE FUNCTION public.remove_passkey(id text, issuer text, subject text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.remove_passkey(id text, issuer text, subject text) OWNER TO almanac_owner;

CREATE FUNCTION public.remove_person(id text, erases_name boolean, author text, author_kind text, author_token text) RETURNS SETOF public.people
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.remove_person(id text, erases_name boolean, author text, author_kind text, author_token text) OWNER TO almanac_owner;

CREATE FUNCTION public.revoke_api_token(id text, author text, author_kind text, author_token text) RETURNS SETOF public.api_tokens
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
begin
    update api_tokens t set revoked_at = date_trunc('milliseconds', clock_timestamp())
    where t.id = $1 and t.revoked_at is null;
    if found then
        insert into audit_log (action, author, author_kind, token_id, subject, details)
        select 'token.revoke', $2, $3, $4, t.id, audit_of_token(t) from api_tokens t where t.id = $1;
    end if;
    return query select * from api_tokens t where t.id = $1;
end $_$;

ALTER FUNCTION public.revoke_api_token(id text, author text, author_kind text, author_token text) OWNER TO almanac_owner;

CREATE FUNCTION public.revoke_invitation(id text, author text, author_kind text, author_token text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
begin
    delete from invitations i where i.id = $1 and i.accepted_at is null;
    if not found then return false; end if;
    insert into audit_log (action, author, author_kind, token_id, subject)
    values ('invitation.revoke', $2, $3, $4, $1);
    return true;
end $_$;

ALTER FUNCTION public.revoke_invitation(id text, author text, author_kind text, author_token text) OWNER TO almanac_owner;

CREATE FUNCTION public.rotate_api_token(id text, digest bytea, expires_at timestamp with time zone, overlap interval, author text, author_kind text, author_token text) RETURNS SETOF public.api_tokens
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.rotate_api_token(id text, digest bytea, expires_at timestamp with time zone, overlap interval, author text, author_kind text, author_token text) OWNER TO almanac_owner;

CREATE FUNCTION public.search_places(words text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (SELECT (COALESCE(string_agg((((''''::text || "left"(each.word, 500)) || ''':'::text) || LEAST((each.place + 1), (16383)::bigint)), ' '::text), ''::text))::tsvector AS "coalesce" FROM unnest(string_to_array("left"(search_places.words, 100000), ' '::text)) WITH ORDINALITY each(word, place) WHERE (each.word <> ''::text));

ALTER FUNCTION public.search_places(words text) OWNER TO almanac_owner;

CREATE FUNCTION public.search_words(text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN TRIM(BOTH FROM regexp_replace(regexp_replace(replace(replace(replace(replace(translate(regexp_replace(lower((NORMALIZE($1, NFKD) COLLATE "und-x-icu")), '[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0600-\u0605\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u070f\u0890\u0891\u08e2\u180e\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20f0\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\ufff9-\ufffb\U000e0001-\U000e007f]+'::text, ''::text, 'g'::text), 'øđðłıς'::text, 'oddliσ'::text), 'ß'::text, 'ss'::text), 'æ'::text, 'ae'::text), 'œ'::text, 'oe'::text), 'þ'::text, 'th'::text), '([$+<=>^`|~¢-©¬®-±×÷\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u2044\u2052\u20a0-\u20cf\u2100-\u2bff\u2e80-\u2fff\u3004-\u3007\u3021-\u3029\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f\U00010000-\U0010ffff])'::text, ' \1 '::text, 'g'::text), '[[:punct:][:space:][:cntrl:]]+'::text, ' '::text, 'g'::text));

ALTER FUNCTION public.search_words(text) OWNER TO almanac_owner;

CREATE FUNCTION public.search_term(text text, whole boolean, weights text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (SELECT string_agg(((((''''::text || "left"(words.word, 500)) || ''':'::text) || CASE WHEN (words.is_last AND (NOT search_term.whole)) THEN '*'::text ELSE ''::text END) || search_term.weights), ' <-> '::text ORDER BY words.place) AS string_agg FROM (SELECT each.word, each.place, (each.place = max(each.place) OVER ()) AS is_last FROM unnest(string_to_array(public.search_words(search_term.text), ' '::text)) WITH ORDINALITY each(word, place)) words);

ALTER FUNCTION public.search_term(text text, whole boolean, weights text) OWNER TO almanac_owner;

CREATE FUNCTION public.search_vector(title text, tags jsonb, body text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (((setweight(public.search_places(public.search_words(title)), 'A'::"char") || setweight(public.search_places((SELECT COALESCE(string_agg(public.search_words(tag.tag), '  '::text), ''::text) AS "coalesce" FROM jsonb_object_keys(search_vector.tags) tag(tag))), 'B'::"char")) || setweight(public.search_places(public.search_words("left"(body, 100000))), 'C'::"char")) || array_to_tsvector(ARRAY(SELECT ('#'::text || tag.tag) FROM jsonb_object_keys(search_vector.tags) tag(tag))));

ALTER FUNCTION public.search_vector(title text, tags jsonb, body text) OWNER TO almanac_owner;

CREATE FUNCTION public.see_people(issuers text[], subjects text[], names text[], scopes text[], sources text[], seen_at timestamp with time zone[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION public.see_people(issuers text[], subjects text[], names text[], scopes text[], sources text[], seen_at timestamp with time zone[]) OWNER TO almanac_owner;

CREATE FUNCTION public.thin_note_history(account bigint, wanted bigint, most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
declare
    a accounts;
    freed bigint := 0;
    step record;
    has_wrapped boolean := false;
begin
    select * into strict a from accounts where id = account;
    a.daily_revision := greatest(a.daily_revision, a.thinned_revision);
    a.hourly_revision := greatest(a.hourly_revision, a.daily_revision);
    for looked in 1..2 loop
        exit when freed >= wanted;
        step := thin_note_history_step(account, 'hour', a.hourly_revision, wanted - freed);
        exit when step.reached is null;
        freed := freed + step.freed;
        a.hourly_revision := step.reached;
    end loop;
    for looked in 1..2 loop
        exit when freed >= wanted;
        step := thin_note_history_step(account, 'day', a.daily_revision, wanted - freed);
        exit when step.reached is null;
        freed := freed + step.freed;
        a.daily_revision := step.reached;
    end loop;
    for looked in 1..greatest(1, most / 250) loop
        exit when freed >= wanted;
        step := thin_note_history_step(account, 'all', a.thinned_revision, wanted - freed);
        if step.reached is null then
            -- What was a note's newest text when it was passed may not be any more.
            exit when has_wrapped;
            has_wrapped := true;
            a.thinned_revision := 0;
        else
            freed := freed + step.freed;
            a.thinned_revision := step.reached;
        end if;
    end loop;
    update accounts set
        history_bytes = greatest(0, history_bytes - freed), hourly_revision = a.hourly_revision,
        daily_revision = a.daily_revision, thinned_revision = a.thinned_revision
    where id = account;
    return freed;
end $$;

ALTER FUNCTION public.thin_note_history(account bigint, wanted bigint, most integer) OWNER TO almanac_owner;

CREATE FUNCTION public.thin_note_history_step(account bigint, unit text, after_revision bigint, wanted bigint, OUT freed bigint, OUT reached bigint) RETURNS record
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    with next as materialized (
        select r.note_id, r.revision, r.recorded_at, r.action = 'restoreNote' and not r.is_repeated as is_kept,
            octet_length(r.title) as title, octet_length(r.body) as body, octet_length(r.tags::text) as tags,
            note_history_bytes(r.title, r.body, r.tags) as bytes
        from note_revisions r where r.account_id = account and r.revision > after_revision
        order by r.revision limit 250
    ), judged as (
        select n.note_id, n.revision, n.bytes,
            n.title is not null and not n.is_kept and t.revision is not null
                and (unit = 'all' or date_trunc(unit, t.recorded_at, 'UTC') = date_trunc(unit, n.recorded_at, 'UTC'))
                and not exists (
                    select from note_revisions k
                    where k.account_id = account and k.note_id = n.note_id
                        and k.revision > n.revision and k.revision < t.revision
                        and k.action = 'restoreNote' and not k.is_repeated and k.body is not null) as drops_title,
            n.body is not null and not n.is_kept and b.revision is not null
                and (unit = 'all' or date_trunc(unit, b.recorded_at, 'UTC') = date_trunc(unit, n.recorded_at, 'UTC'))
                and not exists (
                    select from note_revisions k
                    where k.account_id = account and k.note_id = n.note_id
                        and k.revision > n.revision and k.revision < b.revision
                        and k.action = 'restoreNote' and not k.is_repeated and k.title is not null) as drops_body,
            n.tags is not null and g.revision is not null
                and (unit = 'all' or date_trunc(unit, g.recorded_at, 'UTC') = date_trunc(unit, n.recorded_at, 'UTC'))
                and not exists (
                    select from note_revisions k
                    where k.account_id = account and k.note_id = n.note_id
                        and k.revision > n.revision and k.revision < g.revision
                        and k.action = 'restoreNote' and not k.is_repeated
                        and (k.title is not null or k.body is not null)) as drops_tags,
            n.title, n.body, n.tags
        from next n
        left join lateral (
            select p.revision, p.recorded_at from note_revisions p
            where n.title is not null and p.account_id = account and p.note_id = n.note_id
                and p.revision > n.revision and p.title is not null
            order by p.revision limit 1) t on true
        left join lateral (
            select p.revision, p.recorded_at from note_revisions p
            where n.body is not null and p.account_id = account and p.note_id = n.note_id
                and p.revision > n.revision and p.body is not null
            order by p.revision limit 1) b on true
        left join lateral (
            select p.revision, p.recorded_at from note_revisions p
            where n.tags is not null and p.account_id = account and p.note_id = n.note_id
                and p.revision > n.revision and p.tags is not null
            order by p.revision limit 1) g on true
        where n.recorded_at < clock_timestamp()
            - case unit when 'hour' then interval '1 hour' when 'day' then interval '1 day' else interval '-1 day' end
    ), weighed as (
        select j.*, sum(f.frees) over (order by j.revision) - f.frees as freed_before
        from judged j, lateral (
            select j.bytes - case
                when (j.title is null or j.drops_title) and (j.body is null or j.drops_body)
                    and (j.tags is null or j.drops_tags) then 0
                else greatest(1024, case when j.drops_title then 0 else coalesce(j.title, 0) end
                    + case when j.drops_body then 0 else coalesce(j.body, 0) end
                    + case when j.drops_tags then 0 else coalesce(j.tags, 0) end) end as frees) f
    ), chosen as (
        select * from weighed where freed_before < wanted
    ), thinned as (
        update note_revisions r set
            title = case when not c.drops_title then r.title end, title_thinned = r.title_thinned or c.drops_title,
            body = case when not c.drops_body then r.body end, body_thinned = r.body_thinned or c.drops_body,
            tags = case when not c.drops_tags then r.tags end, tags_thinned = r.tags_thinned or c.drops_tags,
            pinned = case when not c.drops_tags then r.pinned end
        from chosen c
        where (c.drops_title or c.drops_body or c.drops_tags)
            and r.account_id = account and r.note_id = c.note_id and r.revision = c.revision
        returning c.bytes - note_history_bytes(r.title, r.body, r.tags) as bytes
    )
    select coalesce((select sum(bytes) from thinned), 0)::bigint, (select max(revision) from chosen)
$$;

ALTER FUNCTION public.thin_note_history_step(account bigint, unit text, after_revision bigint, wanted bigint, OUT freed bigint, OUT reached bigint) OWNER TO almanac_owner;

CREATE FUNCTION public.token_makers(token text) RETURNS TABLE(issuer text, subject text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
    with recursive made (id) as (
        select $1
        union
        select l.token_id from made m join audit_log l on l.subject = m.id
        where l.action in ('token.create', 'token.rotate') and l.token_id is not null
    ), lines as (
        select l.action, l.author, l.author_kind, l.details from made m join audit_log l on l.subject = m.id
        where l.action in ('token.create', 'token.rotate', 'token.change')
    )
    select t.owner_issuer, t.owner_subject from made m join api_tokens t on t.id = m.id
    where t.owner_subject is not null
    union select l.details ->> 'owner_issuer', l.details ->> 'owner' from lines l where l.details ? 'owner'
    union select null, l.author from lines l where l.author_kind = 'user' and l.action <> 'token.change'
$_$;

ALTER FUNCTION public.token_makers(token text) OWNER TO almanac_owner;

CREATE FUNCTION public.trim_config_history() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
declare
    oldest bigint;
    changes bigint;
    releases bigint;
begin
    select max(revision) into oldest from config_releases where released_at < clock_timestamp() - interval '180 days';
    if oldest is null then return 0; end if;
    update config_head set oldest_revision = oldest where oldest_revision < oldest;
    select oldest_revision into strict oldest from config_head;
    with chosen as (
        select c.key, c.revision from config_changes c
        where c.revision < oldest and exists (
            select from config_changes l
            where l.key = c.key and l.revision > c.revision and l.revision <= oldest
                and coalesce(l.majors, int4multirange(int4range(l.from_major, null)))
                    @> coalesce(c.majors, int4multirange(int4range(c.from_major, null))))
        limit 500 for update skip locked
    ), gone as (
        delete from config_changes c using chosen s where c.key = s.key and c.revision = s.revision returning 1
    )
    select count(*) into changes from gone;
    with chosen as (
        select r.revision from config_releases r
        where r.revision < oldest
            and not exists (select from config_changes c where c.revision = r.revision)
            and not exists (select from config_majors m where m.released_revision = r.revision)
        limit 500 for update skip locked
    ), gone as (
        delete from config_releases r using chosen s where r.revision = s.revision returning 1
    )
    select count(*) into releases from gone;
    return changes + releases;
end $$;

ALTER FUNCTION public.trim_config_history() OWNER TO almanac_owner;

CREATE FUNCTION public.trim_deliveries(most integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    BEGIN ATOMIC
 WITH gone AS (
          DELETE FROM public.deliveries
           WHERE (deliveries.id IN ( SELECT d.id
                    FROM public.deliveries d
                   WHERE (d.created_at < (now() - '30 days'::interval))
                   ORDER BY d.created_at
                  LIMIT trim_deliveries.most
                  FOR UPDATE OF d SKIP LOCKED))
           RETURNING 1 AS "?column?"
         )
  SELECT count(*) AS count
    FROM gone;
END;

ALTER FUNCTION public.trim_deliveries(most integer) OWNER TO almanac_owner;

CREATE FUNCTION public.use_passkey(id text, counter bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
begin
    perform from people p where p.id = (select k.person_id from passkeys k where k.id = $1) for no key update;
    update passkeys k set counter = $2, last_used_at = date_trunc('milliseconds', clock_timestamp())
    where k.id = $1 and (k.counter < $2 or k.counter = 0 and $2 = 0);
    return found;
end $_$;

ALTER FUNCTION public.use_passkey(id text, counter bigint) OWNER TO almanac_owner;

CREATE TABLE public.accounts (
    id bigint NOT NULL,
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    word text DEFAULT substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 1, 8) NOT NULL,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    oldest_revision bigint DEFAULT 0 NOT NULL,
    notes integer DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    history_bytes bigint DEFAULT 0,
    hourly_revision bigint DEFAULT 0 NOT NULL,
    daily_revision bigint DEFAULT 0 NOT NULL,
    thinned_revision bigint DEFAULT 0 NOT NULL,
    trimmed_revision bigint DEFAULT 0 NOT NULL,
    attachments integer DEFAULT 0 NOT NULL,
    attachment_bytes bigint DEFAULT 0 NOT NULL,
    CONSTRAINT accounts_attachment_bytes_check CHECK ((attachment_bytes >= 0)),
    CONSTRAINT accounts_attachments_check CHECK ((attachments >= 0)),
    CONSTRAINT accounts_bytes_check CHECK ((bytes >= 0)),
    CONSTRAINT accounts_check CHECK (((oldest_revision >= 0) AND (oldest_revision <= revision))),
    CONSTRAINT accounts_notes_check CHECK ((notes >= 0)),
    CONSTRAINT accounts_revision_check CHECK ((revision >= 0)),
    CONSTRAINT accounts_word_check CHECK ((word ~ '^[a-z0-9]{8}$'::text))
);

ALTER TABLE public.accounts OWNER TO almanac_owner;

COMMENT ON COLUMN public.accounts.word IS 'Tells this account from one of the same user that was erased before; part of its cursors.';

COMMENT ON COLUMN public.accounts.updated_at IS 'Strictly increasing with the revision.';

COMMENT ON COLUMN public.accounts.oldest_revision IS 'Every change after this revision is kept.';

COMMENT ON COLUMN public.accounts.notes IS 'How many notes there are, those in the trash included.';

COMMENT ON COLUMN public.accounts.bytes IS 'The UTF-8 of their titles, bodies and tags.';

COMMENT ON COLUMN public.accounts.history_bytes IS 'What the texts and tags in the history take (note_history_bytes), present ones included; null until they are counted.';

COMMENT ON COLUMN public.accounts.hourly_revision IS 'Up to here the last text of each hour is left.';

COMMENT ON COLUMN public.accounts.daily_revision IS 'Up to here the last text of each day is left.';

COMMENT ON COLUMN public.accounts.thinned_revision IS 'Up to here only the texts are left that are never thinned out.';

COMMENT ON COLUMN public.accounts.trimmed_revision IS 'Up to here actions that wrote no text may be gone from the history.';

COMMENT ON COLUMN public.accounts.attachments IS 'How many attachments are declared or stored, and not removed.';

COMMENT ON COLUMN public.accounts.attachment_bytes IS 'The declared bytes of their files and previews.';

ALTER TABLE public.accounts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.almanac_migrations (
    number integer NOT NULL,
    name text NOT NULL,
    digest text NOT NULL,
    applied_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    keeps integer
);

ALTER TABLE public.almanac_migrations OWNER TO almanac_owner;

CREATE TABLE public.attachments (
    account_id bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    bytes bigint NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    width integer,
    height integer,
    preview_hash bytea,
    preview_bytes integer,
    preview_is_stored boolean DEFAULT false NOT NULL,
    revision bigint,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    unused_since timestamp(3) with time zone,
    removed_at timestamp(3) with time zone,
    CONSTRAINT attachments_bytes_check CHECK ((bytes > 0)),
    CONSTRAINT attachments_check CHECK (((preview_hash IS NULL) = (preview_bytes IS NULL))),
    CONSTRAINT attachments_check1 CHECK (((preview_hash IS NOT NULL) OR (NOT preview_is_stored))),
    CONSTRAINT attachments_check2 CHECK (((removed_at IS NULL) OR (revision IS NOT NULL))),
    CONSTRAINT attachments_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT attachments_height_check CHECK (((height >= 1) AND (height <= 65535))),
    CONSTRAINT attachments_id_check CHECK ((id ~ '^[a-z2-7]{26}$'::text)),
    CONSTRAINT attachments_preview_bytes_check CHECK ((preview_bytes > 0)),
    CONSTRAINT attachments_preview_hash_check CHECK ((octet_length(preview_hash) = 32)),
    CONSTRAINT attachments_revision_check CHECK ((revision > 0)),
    CONSTRAINT attachments_width_check CHECK (((width >= 1) AND (width <= 65535)))
);

ALTER TABLE public.attachments OWNER TO almanac_owner;

COMMENT ON COLUMN public.attachments.hash IS 'As declared; the bytes are stored if revision is set and removed_at is not.';

COMMENT ON COLUMN public.attachments.type IS 'As declared, and believed by nobody; so are width and height.';

COMMENT ON COLUMN public.attachments.revision IS 'That of the account when the file or a later preview was stored, or the attachment removed.';

COMMENT ON COLUMN public.attachments.unused_since IS 'When the hourly pass found that no text, no note in the trash and no kept past text names it.';

CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    recorded_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    action text NOT NULL,
    author text NOT NULL,
    author_kind text NOT NULL,
    token_id text,
    subject text DEFAULT ''::text NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT audit_log_action_check CHECK ((action ~ '^[a-z]+[.][a-z_]+$'::text)),
    CONSTRAINT audit_log_author_kind_check CHECK ((author_kind = ANY (ARRAY['token'::text, 'user'::text, 'host'::text]))),
    CONSTRAINT audit_log_details_check CHECK ((jsonb_typeof(details) = 'object'::text))
);

ALTER TABLE public.audit_log OWNER TO almanac_owner;

COMMENT ON COLUMN public.audit_log.author IS 'The label of an API token, the subject of a user, or whoever ran a command on the host.';

COMMENT ON COLUMN public.audit_log.token_id IS 'That of the author, where it was an API token.';

COMMENT ON COLUMN public.audit_log.subject IS 'What it was done to: a token''s id, a key, a major, a revision.';

ALTER TABLE public.audit_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.blobs (
    hash bytea NOT NULL,
    bytes bigint NOT NULL,
    store text NOT NULL,
    stored_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    CONSTRAINT blobs_bytes_check CHECK ((bytes > 0)),
    CONSTRAINT blobs_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT blobs_store_check CHECK ((store = ANY (ARRAY['folder'::text, 's3'::text])))
);

ALTER TABLE public.blobs OWNER TO almanac_owner;

COMMENT ON COLUMN public.blobs.hash IS 'The SHA-256 of the bytes, which names them in the store.';

CREATE TABLE public.config_changes (
    revision bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    before jsonb,
    after jsonb,
    description text DEFAULT ''::text NOT NULL,
    from_major integer NOT NULL,
    purged boolean DEFAULT false NOT NULL,
    kind text DEFAULT 'value'::text NOT NULL,
    kind_before text,
    majors int4multirange,
    CONSTRAINT config_changes_check CHECK (((NOT purged) OR ((before IS NULL) AND (after IS NULL)))),
    CONSTRAINT config_changes_check1 CHECK (((NOT isempty(majors)) AND (lower(majors) = from_major))),
    CONSTRAINT config_changes_from_major_check CHECK ((from_major >= 1)),
    CONSTRAINT config_changes_kind_before_check CHECK ((kind_before = ANY (ARRAY['value'::text, 'flag'::text, 'flag-set'::text]))),
    CONSTRAINT config_changes_kind_check CHECK ((kind = ANY (ARRAY['value'::text, 'flag'::text, 'flag-set'::text])))
);

ALTER TABLE public.config_changes OWNER TO almanac_owner;

COMMENT ON COLUMN public.config_changes.from_major IS 'The first major that sees the change.';

COMMENT ON COLUMN public.config_changes.kind IS 'What the entry is after the change; of a removal, what it was.';

COMMENT ON COLUMN public.config_changes.kind_before IS 'What the entry was before, where that was something else.';

COMMENT ON COLUMN public.config_changes.majors IS 'The majors that see the change. If null, from_major and all later ones.';

CREATE TABLE public.config_entries (
    id bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    majors int4range NOT NULL,
    value jsonb,
    description text DEFAULT ''::text NOT NULL,
    revision bigint NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    kind text DEFAULT 'value'::text NOT NULL,
    value_ended_revision bigint,
    value_ended_at timestamp(3) with time zone,
    CONSTRAINT config_entries_flag_set_check CHECK (((kind <> 'flag-set'::text) OR (key = '_flags'::text))),
    CONSTRAINT config_entries_key_check CHECK ((key ~ '^[A-Za-z_][A-Za-z0-9_.-]{0,127}$'::text)),
    CONSTRAINT config_entries_kind_check CHECK ((kind = ANY (ARRAY['value'::text, 'flag'::text, 'flag-set'::text]))),
    CONSTRAINT config_entries_majors_check CHECK (((NOT isempty(majors)) AND (lower(majors) >= 1))),
    CONSTRAINT config_entries_value_check CHECK ((jsonb_typeof(value) <> 'null'::text)),
    CONSTRAINT config_entries_value_ended_check CHECK ((((value_ended_revision IS NULL) = (value_ended_at IS NULL)) AND ((value_ended_revision IS NULL) OR (kind <> 'value'::text))))
);

ALTER TABLE public.config_entries OWNER TO almanac_owner;

COMMENT ON COLUMN public.config_entries.majors IS 'The majors that see this row; the newest row of a key has no upper bound.';

COMMENT ON COLUMN public.config_entries.kind IS 'What its value is; of a tombstone, what was removed. Who may not read flags sees those of kind value only.';

COMMENT ON COLUMN public.config_entries.value_ended_revision IS 'When the key was last a value, if it ever was: for who may not read flags it was removed then.';

ALTER TABLE public.config_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.config_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.config_head (
    singleton boolean DEFAULT true NOT NULL,
    lineage text DEFAULT substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 1, 8) NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    major integer DEFAULT 0 NOT NULL,
    minor integer DEFAULT 0 NOT NULL,
    patch integer DEFAULT 0 NOT NULL,
    oldest_revision bigint DEFAULT 0 NOT NULL,
    rewritten_revision bigint DEFAULT 0 NOT NULL,
    timeline text DEFAULT '00000000'::text NOT NULL,
    has_own_second boolean DEFAULT true NOT NULL,
    CONSTRAINT config_head_check CHECK (((oldest_revision >= 0) AND (oldest_revision <= revision))),
    CONSTRAINT config_head_check1 CHECK (((rewritten_revision >= 0) AND (rewritten_revision <= revision))),
    CONSTRAINT config_head_lineage_check CHECK ((lineage ~ '^[a-z0-9]{4,16}$'::text)),
    CONSTRAINT config_head_major_check CHECK ((major >= 0)),
    CONSTRAINT config_head_minor_check CHECK ((minor >= 0)),
    CONSTRAINT config_head_patch_check CHECK ((patch >= 0)),
    CONSTRAINT config_head_revision_check CHECK ((revision >= 0)),
    CONSTRAINT config_head_singleton_check CHECK (singleton),
    CONSTRAINT config_head_timeline_check CHECK ((timeline ~ '^[0-9A-F]{8}$'::text))
);

ALTER TABLE public.config_head OWNER TO almanac_owner;

COMMENT ON COLUMN public.config_head.lineage IS 'Tells the revisions of this history from those of another; renewed after a restore from a backup.';

COMMENT ON COLUMN public.config_head.updated_at IS 'Strictly increasing with the revision.';

COMMENT ON COLUMN public.config_head.oldest_revision IS 'Every change after this revision is kept in config_changes.';

COMMENT ON COLUMN public.config_head.rewritten_revision IS 'The last revision that did more to config_entries than update or insert rows with its updated_at.';

COMMENT ON COLUMN public.config_head.timeline IS 'That of PostgreSQL''s log on which the lineage was made; 0 where nobody knows.';

COMMENT ON COLUMN public.config_head.has_own_second IS 'No change before it was made in the second of updated_at.';

CREATE TABLE public.config_majors (
    major integer NOT NULL,
    minor integer NOT NULL,
    patch integer NOT NULL,
    released_revision bigint NOT NULL,
    last_asked_at timestamp(3) with time zone,
    retired_at timestamp(3) with time zone,
    CONSTRAINT config_majors_major_check CHECK ((major >= 1))
);

ALTER TABLE public.config_majors OWNER TO almanac_owner;

COMMENT ON COLUMN public.config_majors.minor IS 'With patch: the newest version of this major.';

CREATE TABLE public.config_releases (
    revision bigint NOT NULL,
    major integer NOT NULL,
    minor integer NOT NULL,
    patch integer NOT NULL,
    released_at timestamp(3) with time zone NOT NULL,
    kind text NOT NULL,
    author text NOT NULL,
    message text DEFAULT ''::text NOT NULL,
    proposal bigint,
    exemption text,
    bypass_reason text,
    acknowledged_at timestamp(3) with time zone,
    acknowledged_by text,
    CONSTRAINT config_releases_bypass_reason_check CHECK (((octet_length(bypass_reason) >= 1) AND (octet_length(bypass_reason) <= 1024))),
    CONSTRAINT config_releases_exemption_check CHECK ((exemption = ANY (ARRAY['disable'::text, 'undo'::text]))),
    CONSTRAINT config_releases_kind_check CHECK ((kind = ANY (ARRAY['change'::text, 'restore'::text, 'purge'::text, 'retire'::text]))),
    CONSTRAINT config_releases_revision_check CHECK ((revision > 0))
);

ALTER TABLE public.config_releases OWNER TO almanac_owner;

ALTER TABLE public.deliveries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.environment_appearance (
    singleton boolean DEFAULT true NOT NULL,
    color text,
    caution boolean,
    CONSTRAINT environment_appearance_color_check CHECK ((color ~ '^#[0-9A-Fa-f]{6}$'::text)),
    CONSTRAINT environment_appearance_singleton_check CHECK (singleton)
);

ALTER TABLE public.environment_appearance OWNER TO almanac_owner;

COMMENT ON TABLE public.environment_appearance IS 'A null, or no row, stands for the value in the environments file.';

CREATE TABLE public.event_ticket_keys (
    singleton boolean DEFAULT true NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT event_ticket_keys_key_check CHECK ((octet_length(key) = 32)),
    CONSTRAINT event_ticket_keys_singleton_check CHECK (singleton)
);

ALTER TABLE public.event_ticket_keys OWNER TO almanac_owner;

COMMENT ON COLUMN public.event_ticket_keys.key IS 'Signs the tickets of streams (HMAC-SHA256), which name the environment and the lineage too. To make all that are out worthless, the owner sets another one.';

CREATE TABLE public.flag_use_periods (
    key text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    period text NOT NULL,
    started_at timestamp(0) with time zone NOT NULL,
    evaluations bigint NOT NULL,
    CONSTRAINT flag_use_periods_evaluations_check CHECK ((evaluations >= 0)),
    CONSTRAINT flag_use_periods_period_check CHECK ((period = ANY (ARRAY['hour'::text, 'day'::text])))
)
WITH (fillfactor='50');

ALTER TABLE public.flag_use_periods OWNER TO almanac_owner;

COMMENT ON TABLE public.flag_use_periods IS 'Written by each worker with flag_uses. Hours become days after a week; days are deleted after a year.';

COMMENT ON COLUMN public.flag_use_periods.variant IS 'Empty for evaluations without a variant, as in flag_uses.';

COMMENT ON COLUMN public.flag_use_periods.started_at IS 'The start of the hour or of the day, in UTC.';

CREATE TABLE public.flag_uses (
    key text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    last_evaluated_at timestamp(3) with time zone NOT NULL,
    evaluations bigint NOT NULL,
    CONSTRAINT flag_uses_evaluations_check CHECK ((evaluations >= 0))
)
WITH (fillfactor='50');

ALTER TABLE public.flag_uses OWNER TO almanac_owner;

COMMENT ON TABLE public.flag_uses IS 'Written by each worker every 20 seconds at most, for flags that are there.';

COMMENT ON COLUMN public.flag_uses.variant IS 'Empty where no variant was given: the flag was off, had an error, or left the value to the caller.';

COMMENT ON COLUMN public.flag_uses.evaluations IS 'How many there were, but for what workers had not written down when they were killed.';

CREATE TABLE public.note_actions (
    account_id bigint NOT NULL,
    action_id text NOT NULL COLLATE pg_catalog."C",
    note_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    revision bigint NOT NULL,
    restored boolean NOT NULL,
    recorded_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    CONSTRAINT note_actions_action_id_check CHECK (((octet_length(action_id) >= 1) AND (octet_length(action_id) <= 128))),
    CONSTRAINT note_actions_status_check CHECK ((status = ANY (ARRAY['applied'::text, 'merged'::text])))
);

ALTER TABLE public.note_actions OWNER TO almanac_owner;

COMMENT ON COLUMN public.note_actions.revision IS 'That of the note when the action had taken effect.';

CREATE TABLE public.note_attachments (
    account_id bigint NOT NULL,
    note_id text NOT NULL COLLATE pg_catalog."C",
    attachment_id text NOT NULL COLLATE pg_catalog."C",
    until_revision bigint,
    CONSTRAINT note_attachments_until_revision_check CHECK ((until_revision > 0))
);

ALTER TABLE public.note_attachments OWNER TO almanac_owner;

COMMENT ON COLUMN public.note_attachments.until_revision IS 'Null while the present text names it; otherwise the revision whose text named it no more. Earlier texts may be kept.';

CREATE TABLE public.note_revisions (
    account_id bigint NOT NULL,
    note_id text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    action text NOT NULL,
    action_id text COLLATE pg_catalog."C",
    title text,
    body text,
    recorded_at timestamp(3) with time zone NOT NULL,
    title_thinned boolean DEFAULT false NOT NULL,
    body_thinned boolean DEFAULT false NOT NULL,
    restored_from bigint,
    is_repeated boolean DEFAULT false NOT NULL,
    tags jsonb,
    pinned boolean,
    tags_thinned boolean DEFAULT false NOT NULL,
    CONSTRAINT note_revisions_action_check CHECK ((action = ANY (ARRAY['createNote'::text, 'updateNote'::text, 'moveNote'::text, 'deleteNote'::text, 'restoreNote'::text, 'purgeNote'::text]))),
    CONSTRAINT note_revisions_revision_check CHECK ((revision > 0))
);

ALTER TABLE public.note_revisions OWNER TO almanac_owner;

COMMENT ON COLUMN public.note_revisions.title IS 'Null where the action left it as it was; so for the body.';

COMMENT ON COLUMN public.note_revisions.title_thinned IS 'There was a title, which was thinned out; so for the body.';

COMMENT ON COLUMN public.note_revisions.restored_from IS 'The revision whose texts a person went back to.';

COMMENT ON COLUMN public.note_revisions.is_repeated IS 'A person went back to the same texts again later.';

COMMENT ON COLUMN public.note_revisions.tags IS 'As notes.tags; null where the action left tags and pin as they were.';

COMMENT ON COLUMN public.note_revisions.pinned IS 'Null where tags is.';

COMMENT ON COLUMN public.note_revisions.tags_thinned IS 'There were tags and a pin, which were thinned out.';

CREATE TABLE public.note_words (
    account_id bigint NOT NULL,
    note_id text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    words tsvector NOT NULL
);

ALTER TABLE public.note_words OWNER TO almanac_owner;

COMMENT ON COLUMN public.note_words.revision IS 'That of the note whose words these are.';

CREATE TABLE public.notes (
    account_id bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL,
    body text NOT NULL,
    "position" text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    revision bigint NOT NULL,
    text_revision bigint NOT NULL,
    deleted_at timestamp(3) with time zone,
    purged_at timestamp(3) with time zone,
    search tsvector GENERATED ALWAYS AS ((setweight(to_tsvector('simple'::regconfig, title), 'A'::"char") || setweight(to_tsvector('simple'::regconfig, "left"(body, 100000)), 'B'::"char"))) STORED NOT NULL,
    tags jsonb DEFAULT '{}'::jsonb NOT NULL,
    pinned boolean DEFAULT false NOT NULL,
    written_at timestamp(3) with time zone,
    CONSTRAINT notes_check CHECK (((text_revision >= 1) AND (text_revision <= revision))),
    CONSTRAINT notes_check1 CHECK (((purged_at IS NULL) OR ((title = ''::text) AND (body = ''::text)))),
    CONSTRAINT notes_id_check CHECK ((id ~ '^[A-Za-z0-9_-]{1,64}$'::text)),
    CONSTRAINT notes_revision_check CHECK ((revision > 0))
);

ALTER TABLE public.notes OWNER TO almanac_owner;

COMMENT ON COLUMN public.notes.revision IS 'That of the account at the last change of anything here.';

COMMENT ON COLUMN public.notes.text_revision IS 'That of the account at the last change of title or body.';

COMMENT ON COLUMN public.notes.deleted_at IS 'When it went into the trash.';

COMMENT ON COLUMN public.notes.purged_at IS 'When it was removed for good; the row is a tombstone.';

COMMENT ON COLUMN public.notes.tags IS 'Each with the revision at which it was last added.';

COMMENT ON COLUMN public.notes.written_at IS 'When it was last changed elsewhere, before it came here; null since its first change here.';

CREATE TABLE public.proposal_edits (
    number bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL COLLATE pg_catalog."C",
    before jsonb,
    after jsonb,
    author text NOT NULL,
    token_id text,
    issuer text COLLATE pg_catalog."C",
    subject text COLLATE pg_catalog."C",
    earlier_authors jsonb DEFAULT '[]'::jsonb NOT NULL,
    round integer NOT NULL,
    CONSTRAINT proposal_edits_check CHECK (((issuer IS NULL) = (subject IS NULL))),
    CONSTRAINT proposal_edits_earlier_authors_check CHECK ((jsonb_typeof(earlier_authors) = 'array'::text)),
    CONSTRAINT proposal_edits_key_check CHECK ((key ~ '^[A-Za-z_][A-Za-z0-9_.-]{0,127}$'::text)),
    CONSTRAINT proposal_edits_path_check CHECK ((octet_length(path) <= 1024))
);

ALTER TABLE public.proposal_edits OWNER TO almanac_owner;

COMMENT ON COLUMN public.proposal_edits.path IS 'The part of the entry; empty for the whole value.';

COMMENT ON COLUMN public.proposal_edits.before IS 'The value that the author saw; null if the part was absent, and after a purge of the key.';

COMMENT ON COLUMN public.proposal_edits.token_id IS 'The API token that wrote the edit, also by a session that it began.';

COMMENT ON COLUMN public.proposal_edits.earlier_authors IS 'Those who wrote the value before the author kept it in a rebase.';

CREATE TABLE public.proposal_reviews (
    id bigint NOT NULL,
    number bigint NOT NULL,
    verdict text NOT NULL,
    message text DEFAULT ''::text NOT NULL,
    round integer NOT NULL,
    effect text NOT NULL,
    part text,
    reviewer text NOT NULL,
    token_id text,
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    keys text[] NOT NULL,
    reviewed_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    withdrawn_at timestamp(3) with time zone,
    CONSTRAINT proposal_reviews_message_check CHECK ((octet_length(message) <= 16384)),
    CONSTRAINT proposal_reviews_part_check CHECK ((part = ANY (ARRAY['patch'::text, 'minor'::text, 'major'::text]))),
    CONSTRAINT proposal_reviews_verdict_check CHECK ((verdict = ANY (ARRAY['approve'::text, 'reject'::text, 'comment'::text])))
);

ALTER TABLE public.proposal_reviews OWNER TO almanac_owner;

COMMENT ON COLUMN public.proposal_reviews.part IS 'The part of the version that the release would have raised.';

COMMENT ON COLUMN public.proposal_reviews.token_id IS 'The API token of the reviewer. The review counts while the token is valid.';

COMMENT ON COLUMN public.proposal_reviews.keys IS 'The patterns of keys that the reviewer could approve; a star for all keys.';

ALTER TABLE public.proposal_reviews ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.proposal_reviews_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.proposals (
    number bigint NOT NULL,
    title text NOT NULL,
    message text DEFAULT ''::text NOT NULL,
    state text DEFAULT 'draft'::text NOT NULL,
    closed_as text,
    version bigint DEFAULT 1 NOT NULL,
    round integer DEFAULT 1 NOT NULL,
    author text NOT NULL,
    author_kind text NOT NULL,
    token_id text,
    issuer text COLLATE pg_catalog."C",
    subject text COLLATE pg_catalog."C",
    apply_at timestamp(3) with time zone,
    zone text,
    apply_author text,
    apply_author_kind text,
    apply_token_id text,
    apply_issuer text COLLATE pg_catalog."C",
    apply_subject text COLLATE pg_catalog."C",
    apply_keys text[],
    missed_at timestamp(3) with time zone,
    after_number bigint,
    failure jsonb,
    applied_revision bigint,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    changed_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    CONSTRAINT proposals_apply_author_kind_check CHECK ((apply_author_kind = ANY (ARRAY['token'::text, 'user'::text, 'host'::text]))),
    CONSTRAINT proposals_author_kind_check CHECK ((author_kind = ANY (ARRAY['token'::text, 'user'::text, 'host'::text]))),
    CONSTRAINT proposals_check CHECK (((state = 'closed'::text) = (closed_as IS NOT NULL))),
    CONSTRAINT proposals_check1 CHECK (((issuer IS NULL) = (subject IS NULL))),
    CONSTRAINT proposals_check2 CHECK (((apply_at IS NULL) = (zone IS NULL))),
    CONSTRAINT proposals_check3 CHECK (((apply_at IS NULL) = (apply_author IS NULL))),
    CONSTRAINT proposals_check4 CHECK (((apply_author IS NULL) = (apply_author_kind IS NULL))),
    CONSTRAINT proposals_check5 CHECK (((apply_author IS NULL) = (apply_keys IS NULL))),
    CONSTRAINT proposals_check6 CHECK (((apply_issuer IS NULL) = (apply_subject IS NULL))),
    CONSTRAINT proposals_closed_as_check CHECK ((closed_as = ANY (ARRAY['withdrawn'::text, 'expired'::text, 'restored'::text, 'purged'::text]))),
    CONSTRAINT proposals_failure_check CHECK ((jsonb_typeof(failure) = 'object'::text)),
    CONSTRAINT proposals_message_check CHECK ((octet_length(message) <= 16384)),
    CONSTRAINT proposals_round_check CHECK ((round > 0)),
    CONSTRAINT proposals_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'open'::text, 'applied'::text, 'closed'::text]))),
    CONSTRAINT proposals_title_check CHECK (((octet_length(title) >= 1) AND (octet_length(title) <= 1024))),
    CONSTRAINT proposals_version_check CHECK ((version > 0))
);

ALTER TABLE public.proposals OWNER TO almanac_owner;

COMMENT ON COLUMN public.proposals.version IS 'Raised by each change; the entity tag.';

COMMENT ON COLUMN public.proposals.round IS 'Raised by each change of the edits or the time. Reviews of past rounds do not count.';

COMMENT ON COLUMN public.proposals.subject IS 'With issuer: the person who made the proposal, or who owned the token that did.';

COMMENT ON COLUMN public.proposals.zone IS 'The time zone in which apply_at is shown.';

COMMENT ON COLUMN public.proposals.apply_author IS 'The author of the release at apply_at, who set the time or submitted the proposal with it.';

COMMENT ON COLUMN public.proposals.apply_keys IS 'The patterns of keys that the author of the release could change then; a star for all keys.';

COMMENT ON COLUMN public.proposals.missed_at IS 'The time at which the release could not be made. The effect that reviewers saw contains it.';

COMMENT ON COLUMN public.proposals.failure IS 'The reason why the release was not made at its time.';

COMMENT ON COLUMN public.proposals.applied_revision IS 'Null if others had released all edits.';

ALTER TABLE public.proposals ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.proposals_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.upkeep (
    singleton boolean DEFAULT true NOT NULL,
    environment text,
    backed_up_at timestamp(3) with time zone,
    watched_since timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    CONSTRAINT upkeep_environment_check CHECK ((environment ~ '^[a-z][a-z0-9-]{0,31}$'::text)),
    CONSTRAINT upkeep_singleton_check CHECK (singleton)
);

ALTER TABLE public.upkeep OWNER TO almanac_owner;

COMMENT ON COLUMN public.upkeep.environment IS 'Its name in the environments file; null until the command line has noted it. A backup carries it along.';

COMMENT ON COLUMN public.upkeep.backed_up_at IS 'The moment that the newest backup of almanac backup holds.';

COMMENT ON COLUMN public.upkeep.watched_since IS 'From here the age of the newest backup counts where there is none.';

CREATE UNLOGGED TABLE public.upload_pieces (
    account_id bigint NOT NULL,
    attachment_id text NOT NULL COLLATE pg_catalog."C",
    part text NOT NULL,
    start bigint NOT NULL,
    content bytea NOT NULL,
    received_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    CONSTRAINT upload_pieces_part_check CHECK ((part = ANY (ARRAY['file'::text, 'preview'::text]))),
    CONSTRAINT upload_pieces_start_check CHECK ((start >= 0))
);
ALTER TABLE ONLY public.upload_pieces ALTER COLUMN content SET STORAGE EXTERNAL;

ALTER TABLE public.upload_pieces OWNER TO almanac_owner;

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_issuer_subject_key UNIQUE (issuer, subject);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.almanac_migrations
    ADD CONSTRAINT almanac_migrations_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.attachments
    ADD CONSTRAINT attachments_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.blobs
    ADD CONSTRAINT blobs_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.config_changes
    ADD CONSTRAINT config_changes_pkey PRIMARY KEY (key, revision);

ALTER TABLE ONLY public.config_entries
    ADD CONSTRAINT config_entries_one_per_key_and_major EXCLUDE USING gist (key WITH =, majors WITH &&);

ALTER TABLE ONLY public.config_entries
    ADD CONSTRAINT config_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.config_head
    ADD CONSTRAINT config_head_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY public.config_majors
    ADD CONSTRAINT config_majors_pkey PRIMARY KEY (major);

ALTER TABLE ONLY public.config_releases
    ADD CONSTRAINT config_releases_pkey PRIMARY KEY (revision);

ALTER TABLE ONLY public.config_releases
    ADD CONSTRAINT config_releases_released_at_key UNIQUE (released_at);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_hook_id_event_id_key UNIQUE (hook_id, event_id);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.environment_appearance
    ADD CONSTRAINT environment_appearance_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY public.event_ticket_keys
    ADD CONSTRAINT event_ticket_keys_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY public.flag_use_periods
    ADD CONSTRAINT flag_use_periods_pkey PRIMARY KEY (key, variant, period, started_at);

ALTER TABLE ONLY public.flag_uses
    ADD CONSTRAINT flag_uses_pkey PRIMARY KEY (key, variant);

ALTER TABLE ONLY public.hooks
    ADD CONSTRAINT hooks_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.login_attempts
    ADD CONSTRAINT login_attempts_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.note_actions
    ADD CONSTRAINT note_actions_pkey PRIMARY KEY (account_id, action_id);

ALTER TABLE ONLY public.note_attachments
    ADD CONSTRAINT note_attachments_pkey PRIMARY KEY (account_id, note_id, attachment_id);

ALTER TABLE ONLY public.note_revisions
    ADD CONSTRAINT note_revisions_pkey PRIMARY KEY (account_id, note_id, revision);

ALTER TABLE ONLY public.note_words
    ADD CONSTRAINT note_words_pkey PRIMARY KEY (account_id, note_id);

ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_issuer_subject_key UNIQUE (issuer, subject);

ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.proposal_edits
    ADD CONSTRAINT proposal_edits_pkey PRIMARY KEY (number, key, path);

ALTER TABLE ONLY public.proposal_reviews
    ADD CONSTRAINT proposal_reviews_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT proposals_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.session_codes
    ADD CONSTRAINT session_codes_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.upkeep
    ADD CONSTRAINT upkeep_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY public.upload_pieces
    ADD CONSTRAINT upload_pieces_pkey PRIMARY KEY (account_id, attachment_id, part, start);

ALTER TABLE ONLY public.used_challenges
    ADD CONSTRAINT used_challenges_pkey PRIMARY KEY (digest);

CREATE INDEX accounts_updated_at ON public.accounts USING btree (updated_at);

CREATE INDEX api_tokens_owner ON public.api_tokens USING btree (owner_subject, owner_issuer) WHERE (owner_subject IS NOT NULL);

CREATE INDEX attachments_hash ON public.attachments USING btree (hash) WHERE (removed_at IS NULL);

CREATE INDEX attachments_preview_hash ON public.attachments USING btree (preview_hash) WHERE ((removed_at IS NULL) AND (preview_hash IS NOT NULL));

CREATE INDEX attachments_receiving ON public.attachments USING btree (account_id) WHERE ((removed_at IS NULL) AND ((revision IS NULL) OR ((preview_hash IS NOT NULL) AND (NOT preview_is_stored))));

CREATE INDEX attachments_revision ON public.attachments USING btree (account_id, revision) WHERE (revision IS NOT NULL);

CREATE INDEX attachments_unused_since ON public.attachments USING btree (unused_since) WHERE (removed_at IS NULL);

CREATE INDEX audit_log_recorded_at ON public.audit_log USING btree (recorded_at);

CREATE INDEX audit_log_tokens ON public.audit_log USING btree (subject) WHERE (action = ANY (ARRAY['token.create'::text, 'token.rotate'::text, 'token.change'::text]));

CREATE INDEX config_changes_revision ON public.config_changes USING btree (revision);

CREATE INDEX config_entries_flags ON public.config_entries USING btree (key) WHERE (kind <> 'value'::text);

CREATE UNIQUE INDEX config_entries_newest ON public.config_entries USING btree (key) WHERE upper_inf(majors);

CREATE INDEX config_entries_revision ON public.config_entries USING btree (revision);

CREATE INDEX config_entries_updated_at ON public.config_entries USING btree (updated_at);

CREATE INDEX config_releases_unreviewed ON public.config_releases USING btree (revision) WHERE ((bypass_reason IS NOT NULL) AND (acknowledged_at IS NULL));

CREATE INDEX deliveries_created_at ON public.deliveries USING btree (created_at);

CREATE INDEX deliveries_open ON public.deliveries USING btree (hook_id, id) WHERE (state = 'open'::text);

CREATE INDEX flag_use_periods_started_at ON public.flag_use_periods USING btree (started_at);

CREATE INDEX hooks_token_id ON public.hooks USING btree (token_id);

CREATE INDEX invitations_expires_at ON public.invitations USING btree (expires_at);

CREATE INDEX login_attempts_expires_at ON public.login_attempts USING btree (expires_at);

CREATE INDEX note_attachments_attachment ON public.note_attachments USING btree (account_id, attachment_id);

CREATE UNIQUE INDEX note_revisions_revision ON public.note_revisions USING btree (account_id, revision);

CREATE INDEX notes_position ON public.notes USING btree (account_id, "position") WHERE (purged_at IS NULL);

CREATE INDEX notes_revision ON public.notes USING btree (account_id, revision);

CREATE INDEX notes_updated_at ON public.notes USING btree (account_id, updated_at);

CREATE INDEX passkeys_person_id ON public.passkeys USING btree (person_id);

CREATE INDEX proposal_edits_key ON public.proposal_edits USING btree (key);

CREATE INDEX proposal_reviews_number ON public.proposal_reviews USING btree (number, id);

CREATE INDEX proposals_due ON public.proposals USING btree (apply_at) WHERE ((state = 'open'::text) AND (apply_at IS NOT NULL));

CREATE INDEX proposals_pending ON public.proposals USING btree (number) WHERE (state = ANY (ARRAY['draft'::text, 'open'::text]));

CREATE INDEX session_codes_expires_at ON public.session_codes USING btree (expires_at);

CREATE INDEX session_codes_token_id ON public.session_codes USING btree (token_id) WHERE (token_id IS NOT NULL);

CREATE INDEX session_codes_user ON public.session_codes USING btree (subject, issuer) WHERE (subject IS NOT NULL);

CREATE INDEX sessions_expires_at ON public.sessions USING btree (expires_at);

CREATE INDEX sessions_token_id ON public.sessions USING btree (token_id) WHERE (token_id IS NOT NULL);

CREATE INDEX sessions_user ON public.sessions USING btree (subject, issuer) WHERE (subject IS NOT NULL);

CREATE INDEX upload_pieces_received_at ON public.upload_pieces USING btree (received_at);

CREATE CONSTRAINT TRIGGER config_releases_events AFTER INSERT ON public.config_releases DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.add_release_events();

CREATE TRIGGER people_removed AFTER UPDATE OF removed_at ON public.people FOR EACH ROW WHEN (((old.removed_at IS NULL) AND (new.removed_at IS NOT NULL))) EXECUTE FUNCTION public.forget_passkeys();

ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_owner_fkey FOREIGN KEY (owner_issuer, owner_subject) REFERENCES public.people(issuer, subject) MATCH FULL;

ALTER TABLE ONLY public.attachments
    ADD CONSTRAINT attachments_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.config_changes
    ADD CONSTRAINT config_changes_revision_fkey FOREIGN KEY (revision) REFERENCES public.config_releases(revision);

ALTER TABLE ONLY public.config_majors
    ADD CONSTRAINT config_majors_released_revision_fkey FOREIGN KEY (released_revision) REFERENCES public.config_releases(revision);

ALTER TABLE ONLY public.config_releases
    ADD CONSTRAINT config_releases_proposal_fkey FOREIGN KEY (proposal) REFERENCES public.proposals(number);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_hook_id_fkey FOREIGN KEY (hook_id) REFERENCES public.hooks(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.hooks
    ADD CONSTRAINT hooks_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.api_tokens(id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.people(id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.api_tokens(id);

ALTER TABLE ONLY public.note_actions
    ADD CONSTRAINT note_actions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.note_attachments
    ADD CONSTRAINT note_attachments_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.note_revisions
    ADD CONSTRAINT note_revisions_account_id_note_id_fkey FOREIGN KEY (account_id, note_id) REFERENCES public.notes(account_id, id);

ALTER TABLE ONLY public.note_words
    ADD CONSTRAINT note_words_account_id_note_id_fkey FOREIGN KEY (account_id, note_id) REFERENCES public.notes(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.people(id);

ALTER TABLE ONLY public.proposal_edits
    ADD CONSTRAINT proposal_edits_number_fkey FOREIGN KEY (number) REFERENCES public.proposals(number);

ALTER TABLE ONLY public.proposal_reviews
    ADD CONSTRAINT proposal_reviews_number_fkey FOREIGN KEY (number) REFERENCES public.proposals(number);

ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT proposals_after_number_fkey FOREIGN KEY (after_number) REFERENCES public.proposals(number);

ALTER TABLE ONLY public.session_codes
    ADD CONSTRAINT session_codes_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.api_tokens(id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.api_tokens(id);

GRANT SELECT ON TABLE public.people TO almanac_worker;

REVOKE ALL ON FUNCTION public.accept_invitation(digest bytea, issuer text, subject text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.accept_invitation(digest bytea, issuer text, subject text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.add_event(event_id text, type text, keys text[], key text, revision bigint, facts jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_event(event_id text, type text, keys text[], key text, revision bigint, facts jsonb) TO almanac_worker;

GRANT SELECT ON TABLE public.passkeys TO almanac_worker;

REVOKE ALL ON FUNCTION public.add_passkey(person_id text, credential_id bytea, public_key bytea, counter bigint, is_backup_eligible boolean, transports text[], label text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_passkey(person_id text, credential_id bytea, public_key bytea, counter bigint, is_backup_eligible boolean, transports text[], label text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.add_release_events() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.admit_person(id text, author text, author_kind text, author_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.admit_person(id text, author text, author_kind text, author_token text) TO almanac_worker;

GRANT SELECT ON TABLE public.api_tokens TO almanac_worker;

GRANT UPDATE(last_used_at) ON TABLE public.api_tokens TO almanac_worker;

REVOKE ALL ON FUNCTION public.audit_of_token(made public.api_tokens) FROM PUBLIC;

GRANT SELECT ON TABLE public.sessions TO almanac_worker;

GRANT UPDATE(last_used_at) ON TABLE public.sessions TO almanac_worker;

GRANT UPDATE(expires_at) ON TABLE public.sessions TO almanac_worker;

REVOKE ALL ON FUNCTION public.begin_session(digest bytea, application text, how text, token_id text, issuer text, subject text, scopes text[], idle interval, ends_at timestamp with time zone, replaces text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.begin_session(digest bytea, application text, how text, token_id text, issuer text, subject text, scopes text[], idle interval, ends_at timestamp with time zone, replaces text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.begin_session(digest bytea, application text, how text, token_id text, issuer text, subject text, name text, scopes text[], idle interval, ends_at timestamp with time zone, replaces text, passkey text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.begin_session(digest bytea, application text, how text, token_id text, issuer text, subject text, name text, scopes text[], idle interval, ends_at timestamp with time zone, replaces text, passkey text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.change_api_token(id text, label text, purpose text, sets_owner boolean, owner_issuer text, owner_subject text, author text, author_kind text, author_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.change_api_token(id text, label text, purpose text, sets_owner boolean, owner_issuer text, owner_subject text, author text, author_kind text, author_token text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.change_person(id text, name text, role text, scopes text[], author text, author_kind text, author_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.change_person(id text, name text, role text, scopes text[], author text, author_kind text, author_token text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.end_session(id text, action text, author text, author_kind text, author_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_session(id text, action text, author text, author_kind text, author_token text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.end_sessions(issuer text, subject text) FROM PUBLIC;

GRANT SELECT,INSERT,DELETE ON TABLE public.session_codes TO almanac_worker;

REVOKE ALL ON FUNCTION public.erase_sessions(issuer text, subject text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_sessions(issuer text, subject text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.finish_delivery(id bigint, attempt integer, status integer, milliseconds integer, state text, delay interval, reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.finish_delivery(id bigint, attempt integer, status integer, milliseconds integer, state text, delay interval, reason text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.forget_passkeys() FROM PUBLIC;

GRANT SELECT ON TABLE public.invitations TO almanac_worker;

GRANT ALL ON FUNCTION public.has_inviter(made public.invitations) TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.deliveries TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.hooks TO almanac_worker;

REVOKE ALL ON FUNCTION public.lease_delivery() FROM PUBLIC;
GRANT ALL ON FUNCTION public.lease_delivery() TO almanac_worker;

REVOKE ALL ON FUNCTION public.make_api_token(digest bytea, label text, scopes text[], expires_at timestamp with time zone, author text, author_kind text, author_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.make_api_token(digest bytea, label text, scopes text[], expires_at timestamp with time zone, author text, author_kind text, author_token text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.make_api_token(digest bytea, label text, scopes text[], expires_at timestamp with time zone, owner_issuer text, owner_subject text, purpose text, author text, author_kind text, author_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.make_api_token(digest bytea, label text, scopes text[], expires_at timestamp with time zone, owner_issuer text, owner_subject text, purpose text, author text, author_kind text, author_token text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.make_invitation(digest bytea, name text, role text, scopes text[], person_id text, issuer text, subject text, lifetime interval, inviter_issuer text, inviter_subject text, author text, author_kind text, author_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.make_invitation(digest bytea, name text, role text, scopes text[], person_id text, issuer text, subject text, lifetime interval, inviter_issuer text, inviter_subject text, author text, author_kind text, author_token text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.make_session_code(digest bytea, application text, token_id text, issuer text, subject text, session_ends_at timestamp with time zone, expires_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.make_session_code(digest bytea, application text, token_id text, issuer text, subject text, session_ends_at timestamp with time zone, expires_at timestamp with time zone) TO almanac_worker;

REVOKE ALL ON FUNCTION public.record_session(action text, author text, author_kind text, token_id text, session text, details jsonb) FROM PUBLIC;

GRANT SELECT,INSERT,DELETE ON TABLE public.login_attempts TO almanac_worker;

GRANT SELECT,INSERT ON TABLE public.used_challenges TO almanac_worker;

REVOKE ALL ON FUNCTION public.remove_ended_sessions(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.remove_ended_sessions(most integer) TO almanac_worker;

REVOKE ALL ON FUNCTION public.remove_passkey(id text, issuer text, subject text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.remove_passkey(id text, issuer text, subject text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.remove_person(id text, erases_name boolean, author text, author_kind text, author_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.remove_person(id text, erases_name boolean, author text, author_kind text, author_token text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.revoke_api_token(id text, author text, author_kind text, author_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.revoke_api_token(id text, author text, author_kind text, author_token text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.revoke_invitation(id text, author text, author_kind text, author_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.revoke_invitation(id text, author text, author_kind text, author_token text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.rotate_api_token(id text, digest bytea, expires_at timestamp with time zone, overlap interval, author text, author_kind text, author_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.rotate_api_token(id text, digest bytea, expires_at timestamp with time zone, overlap interval, author text, author_kind text, author_token text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.see_people(issuers text[], subjects text[], names text[], scopes text[], sources text[], seen_at timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.see_people(issuers text[], subjects text[], names text[], scopes text[], sources text[], seen_at timestamp with time zone[]) TO almanac_worker;

REVOKE ALL ON FUNCTION public.thin_note_history(account bigint, wanted bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.thin_note_history(account bigint, wanted bigint, most integer) TO almanac_worker;

REVOKE ALL ON FUNCTION public.thin_note_history_step(account bigint, unit text, after_revision bigint, wanted bigint, OUT freed bigint, OUT reached bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.token_makers(token text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.token_makers(token text) TO almanac_worker;

REVOKE ALL ON FUNCTION public.trim_config_history() FROM PUBLIC;
GRANT ALL ON FUNCTION public.trim_config_history() TO almanac_worker;

REVOKE ALL ON FUNCTION public.trim_deliveries(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.trim_deliveries(most integer) TO almanac_worker;

REVOKE ALL ON FUNCTION public.use_passkey(id text, counter bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.use_passkey(id text, counter bigint) TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounts TO almanac_worker;

GRANT SELECT ON TABLE public.almanac_migrations TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.attachments TO almanac_worker;

GRANT SELECT,INSERT ON TABLE public.audit_log TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.blobs TO almanac_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.config_changes TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.config_entries TO almanac_worker;

GRANT SELECT,UPDATE ON TABLE public.config_head TO almanac_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.config_majors TO almanac_worker;

GRANT SELECT,INSERT ON TABLE public.config_releases TO almanac_worker;

GRANT UPDATE(acknowledged_at) ON TABLE public.config_releases TO almanac_worker;

GRANT UPDATE(acknowledged_by) ON TABLE public.config_releases TO almanac_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.environment_appearance TO almanac_worker;

GRANT SELECT ON TABLE public.event_ticket_keys TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.flag_use_periods TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.flag_uses TO almanac_worker;

GRANT SELECT,INSERT,DELETE ON TABLE public.note_actions TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.note_attachments TO almanac_worker;

GRANT SELECT,INSERT,DELETE ON TABLE public.note_revisions TO almanac_worker;

GRANT UPDATE(is_repeated) ON TABLE public.note_revisions TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.note_words TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.notes TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.proposal_edits TO almanac_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.proposal_reviews TO almanac_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.proposals TO almanac_worker;

GRANT SELECT ON TABLE public.upkeep TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.upload_pieces TO almanac_worker;
