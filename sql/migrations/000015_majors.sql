-- The majors that see a change of the config. A release may reach majors 1 and 3 but not 2.
-- Changes that were stored before have no value here, and neither have those of an older program on the same database.
alter table config_changes
    add column majors int4multirange check (not isempty(majors) and lower(majors) = from_major);
comment on column config_changes.majors is 'The majors that see the change. If null, from_major and all later ones.';
comment on column config_changes.from_major is 'The first major that sees the change.';

-- Deletes up to 1,000 rows of the config's history that are older than 180 days, and returns their number. For each key
-- and major, the last change before that time is kept, so every later state remains known.
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
