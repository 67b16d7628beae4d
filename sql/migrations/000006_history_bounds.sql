-- Bounds of the history: what an account's texts take, which of them are thinned out when they take too much, and what
-- is trimmed after 180 days.

alter table accounts
    add column history_bytes bigint,
    add column hourly_revision bigint not null default 0,
    add column daily_revision bigint not null default 0,
    add column thinned_revision bigint not null default 0,
    add column trimmed_revision bigint not null default 0;
alter table accounts alter column history_bytes set default 0;
comment on column accounts.history_bytes is 'What the texts in the history take (note_history_bytes), present ones included; null until they are counted.';
comment on column accounts.hourly_revision is 'Up to here the last text of each hour is left.';
comment on column accounts.daily_revision is 'Up to here the last text of each day is left.';
comment on column accounts.thinned_revision is 'Up to here only the texts are left that are never thinned out.';
comment on column accounts.trimmed_revision is 'Up to here actions that wrote no text may be gone from the history.';

alter table note_revisions
    add column title_thinned boolean not null default false,
    add column body_thinned boolean not null default false,
    add column restored_from bigint,
    add column is_repeated boolean not null default false;
comment on column note_revisions.title_thinned is 'There was a title, which was thinned out; so for the body.';
comment on column note_revisions.restored_from is 'The revision whose texts a person went back to.';
comment on column note_revisions.is_repeated is 'A person went back to the same texts again later.';

-- The same for everybody who counts. The least that a text takes bounds the number of rows.
create or replace function note_history_bytes(title text, body text) returns bigint
    language sql immutable parallel safe
    return case when title is null and body is null then 0
        else greatest(1024, coalesce(octet_length(title), 0) + coalesce(octet_length(body), 0)) end;

-- Thins out one step: in the rows after a revision, the texts that have a later one of the same hour (day), or any
-- later one (all). Never the newest text of a note, nor one that a person went back to.
create or replace function thin_note_history_step(
    account bigint, unit text, after_revision bigint, wanted bigint, out freed bigint, out reached bigint)
    language sql security definer set search_path = pg_catalog, public, pg_temp as $$
    with next as materialized (
        select r.note_id, r.revision, r.recorded_at, r.action = 'restoreNote' and not r.is_repeated as is_kept,
            octet_length(r.title) as title, octet_length(r.body) as body, note_history_bytes(r.title, r.body) as bytes
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
            n.title, n.body
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
        where n.recorded_at < clock_timestamp()
            - case unit when 'hour' then interval '1 hour' when 'day' then interval '1 day' else interval '-1 day' end
    ), weighed as (
        select j.*, sum(f.frees) over (order by j.revision) - f.frees as freed_before
        from judged j, lateral (
            select j.bytes - case
                when (j.title is null or j.drops_title) and (j.body is null or j.drops_body) then 0
                else greatest(1024, case when j.drops_title then 0 else coalesce(j.title, 0) end
                    + case when j.drops_body then 0 else coalesce(j.body, 0) end) end as frees) f
    ), chosen as (
        select * from weighed where freed_before < wanted
    ), thinned as (
        update note_revisions r set
            title = case when not c.drops_title then r.title end, title_thinned = r.title_thinned or c.drops_title,
            body = case when not c.drops_body then r.body end, body_thinned = r.body_thinned or c.drops_body
        from chosen c
        where (c.drops_title or c.drops_body)
            and r.account_id = account and r.note_id = c.note_id and r.revision = c.revision
        returning c.bytes - note_history_bytes(r.title, r.body) as bytes
    )
    select coalesce((select sum(bytes) from thinned), 0)::bigint, (select max(revision) from chosen)
$$;

-- Makes room in an account that the caller has locked: first the texts of one hour become one, then those of one day,
-- then the oldest go. Looks at no more rows than `most`, and answers how much it has freed.
create or replace function thin_note_history(account bigint, wanted bigint, most integer) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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

-- Lets go of some of the config's history that is older than 180 days, and answers how many rows that were. What the
-- config was at any later time, and since then, stays known: the last change of each key before is kept.
create or replace function trim_config_history() returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
                and l.from_major <= c.from_major)
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

revoke all on function thin_note_history_step, thin_note_history, trim_config_history from public;
grant execute on function thin_note_history, trim_config_history to almanac_worker;
grant update (is_repeated) on note_revisions to almanac_worker;
