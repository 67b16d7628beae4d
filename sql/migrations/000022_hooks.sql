-- Hooks, and the outbox of their deliveries.

create table hooks (
    id text primary key check (id ~ '^[a-z0-9]{12}$'),
    url text not null check (octet_length(url) between 1 and 2048),
    label text not null check (char_length(label) between 1 and 100),
    format text not null check (format in ('json', 'slack', 'discord', 'teams')),
    types text[] not null check (cardinality(types) > 0),
    keys text[] not null default '{}' check (cardinality(keys) <= 100),
    secret text not null,
    previous_secret text,
    previous_secret_until timestamptz(3),
    author text not null,
    author_kind text not null check (author_kind in ('token', 'user', 'host')),
    token_id text references api_tokens,
    issuer text collate "C",
    subject text collate "C",
    created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    disabled_at timestamptz(3),
    disabled_reason text check (disabled_reason in ('gone', 'exhausted', 'restored')),
    check ((previous_secret is null) = (previous_secret_until is null)),
    check ((issuer is null) = (subject is null)),
    check ((disabled_at is null) = (disabled_reason is null))
);
comment on column hooks.types is 'The types of the events that the receiver gets.';
comment on column hooks.keys is 'Keys, and prefixes with a star. An empty array is all keys.';
comment on column hooks.secret is 'The secret in its text form. Signing needs it, so it is no hash.';
comment on column hooks.subject is 'With issuer: the person who made the hook.';
create index hooks_token_id on hooks (token_id);

create table deliveries (
    id bigint generated always as identity primary key,
    hook_id text not null references hooks on delete cascade,
    event_id text not null,
    type text not null,
    key text collate "C",
    revision bigint,
    facts jsonb not null default '{}' check (jsonb_typeof(facts) = 'object'),
    created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    state text not null default 'open' check (state in ('open', 'delivered', 'failed')),
    attempts integer not null default 0 check (attempts >= 0),
    next_attempt_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    leased_until timestamptz(3),
    status integer,
    milliseconds integer,
    unique (hook_id, event_id)
);
comment on table deliveries is
    'The outbox: one row for each hook and event. Values of keys are not stored here, but read from config_changes.';
comment on column deliveries.key is 'The key of an event about one key.';
comment on column deliveries.facts is 'The members of the body of an event that is no release.';
comment on column deliveries.leased_until is 'The end of the time in which one worker may send the request.';
comment on column deliveries.status is 'The HTTP status of the last answer; null without an answer.';
comment on column deliveries.milliseconds is 'The duration of the last attempt.';
create index deliveries_open on deliveries (hook_id, id) where state = 'open';
create index deliveries_created_at on deliveries (created_at);

-- Adds an event to the outbox, once for each hook that takes its type and at least one of its keys. An event about no
-- key is for all hooks. Ids of events that were added before are ignored.
create function add_event(event_id text, type text, keys text[], key text, revision bigint, facts jsonb)
    returns bigint language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
end $$;

-- Adds the events of a release. The trigger runs at the end of the transaction, after the changes of the release are
-- stored, and while the lock on the head puts the events into the order of the revisions.
create function add_release_events() returns trigger
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
create constraint trigger config_releases_events after insert on config_releases
    deferrable initially deferred for each row execute function add_release_events();

-- Leases the oldest open delivery of a hook for 30 seconds, and counts the attempt. Later deliveries of that hook wait.
-- Returns no row if nothing is due.
create function lease_delivery() returns setof deliveries
    language sql security definer set search_path = pg_catalog, public, pg_temp
begin atomic
    with due as (
        select d.id from hooks h cross join lateral (
            select o.id, o.next_attempt_at, o.leased_until from deliveries o
            where o.hook_id = h.id and o.state = 'open' order by o.id limit 1) d
        where h.disabled_at is null and d.next_attempt_at <= clock_timestamp()
            and (d.leased_until is null or d.leased_until <= clock_timestamp())
        order by d.next_attempt_at limit 1
    )
    -- Another worker may have leased the row since, which the update sees once it has the lock on the row.
    update deliveries l set leased_until = clock_timestamp() + interval '30 seconds', attempts = l.attempts + 1
    from due where l.id = due.id and l.state = 'open'
        and (l.leased_until is null or l.leased_until <= clock_timestamp())
    returning l.*;
end;

-- Stores the result of an attempt. Returns false if the lease has gone to another attempt.
--
-- The state is the delivery's new one; an open one is due after the delay. The reason, if any, disables the hook.
create function finish_delivery(id bigint, attempt integer, status integer, milliseconds integer, state text,
    delay interval, reason text)
    returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
end $$;

-- Deletes a batch of deliveries older than 30 days, and returns their number.
create function trim_deliveries(most integer) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
begin atomic
    with gone as (
        delete from deliveries where id in (
            select d.id from deliveries d where d.created_at < now() - interval '30 days'
            order by d.created_at limit most for update skip locked)
        returning 1
    )
    select count(*) from gone;
end;

grant select, insert, update, delete on hooks to almanac_worker;
grant select, insert, update, delete on deliveries to almanac_worker;
revoke all on function
    add_event, add_release_events, lease_delivery, finish_delivery, trim_deliveries from public;
grant execute on function add_event, lease_delivery, finish_delivery, trim_deliveries to almanac_worker;
