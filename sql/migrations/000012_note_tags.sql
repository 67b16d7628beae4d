-- Tags and pins of notes, in the notes' own rows; in the history each with the action that changed them. And when notes
-- that come from elsewhere were written.

comment on column accounts.bytes is 'The UTF-8 of their titles, bodies and tags.';
comment on column accounts.history_bytes is 'What the texts and tags in the history take (note_history_bytes), present ones included; null until they are counted.';

alter table notes
    add column tags jsonb not null default '{}',
    add column pinned boolean not null default false,
    add column written_at timestamptz(3);
comment on column notes.written_at is 'When it was last changed elsewhere, before it came here; null since its first change here.';
comment on column notes.tags is 'Each with the revision at which it was last added.';

alter table note_revisions
    add column tags jsonb,
    add column pinned boolean,
    add column tags_thinned boolean not null default false;
comment on column note_revisions.tags is 'As notes.tags; null where the action left tags and pin as they were.';
comment on column note_revisions.pinned is 'Null where tags is.';
comment on column note_revisions.tags_thinned is 'There were tags and a pin, which were thinned out.';

-- The same for everybody who counts. Programs of the release before count titles and bodies alone.
create or replace function note_history_bytes(title text, body text, tags jsonb) returns bigint
    language sql immutable parallel safe
    return case when title is null and body is null and tags is null then 0
        else greatest(1024, coalesce(octet_length(title), 0) + coalesce(octet_length(body), 0)
            + coalesce(octet_length(tags::text), 0)) end;

-- Thins out one step: in the rows after a revision, the texts and tags that have later ones of the same hour (day), or
-- any later ones (all). Never the newest of a note, nor what there was when a person went back to a text.
create or replace function thin_note_history_step(
    account bigint, unit text, after_revision bigint, wanted bigint, out freed bigint, out reached bigint)
    language sql security definer set search_path = pg_catalog, public, pg_temp as $$
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
