-- Config: the head of an environment, its entries, releases and majors.
-- Text equality inside the exclusion constraint needs a GiST operator class.
create extension if not exists btree_gist;

-- One row. Every change of the config locks it first, so changes commit in the order of their revisions.
create table config_head (
    singleton boolean primary key default true check (singleton),
    lineage text not null default substr(replace(gen_random_uuid()::text, '-', ''), 1, 8)
        check (lineage ~ '^[a-z0-9]{4,16}$'),
    revision bigint not null default 0 check (revision >= 0),
    updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    major integer not null default 0 check (major >= 0),
    minor integer not null default 0 check (minor >= 0),
    patch integer not null default 0 check (patch >= 0),
    oldest_revision bigint not null default 0 check (oldest_revision between 0 and revision),
    rewritten_revision bigint not null default 0 check (rewritten_revision between 0 and revision)
);
comment on column config_head.lineage is 'Tells the revisions of this history from those of another; renewed after a restore from a backup.';
comment on column config_head.updated_at is 'Strictly increasing with the revision.';
comment on column config_head.oldest_revision is 'Every change after this revision is kept in config_changes.';
comment on column config_head.rewritten_revision is 'The last revision that did more to config_entries than update or insert rows with its updated_at.';
insert into config_head default values;

-- What each major version sees. A row without a value is a tombstone.
create table config_entries (
    id bigint generated always as identity primary key,
    key text collate "C" not null check (key ~ '^[A-Za-z_][A-Za-z0-9_.-]{0,127}$'),
    majors int4range not null check (not isempty(majors) and lower(majors) >= 1),
    value jsonb check (jsonb_typeof(value) <> 'null'),
    description text not null default '',
    revision bigint not null,
    updated_at timestamptz(3) not null,
    constraint config_entries_one_per_key_and_major exclude using gist (key with =, majors with &&)
);
comment on column config_entries.majors is 'The majors that see this row; the newest row of a key has no upper bound.';
create unique index config_entries_newest on config_entries (key) where upper_inf(majors);
create index config_entries_updated_at on config_entries (updated_at);
create index config_entries_revision on config_entries (revision);

create table config_releases (
    revision bigint primary key check (revision > 0),
    major integer not null,
    minor integer not null,
    patch integer not null,
    released_at timestamptz(3) not null unique,
    kind text not null check (kind in ('change', 'restore', 'purge', 'retire')),
    author text not null,
    message text not null default ''
);

-- History: what each release did to each key.
create table config_changes (
    revision bigint not null references config_releases,
    key text collate "C" not null,
    before jsonb,
    after jsonb,
    description text not null default '',
    from_major integer not null check (from_major >= 1),
    purged boolean not null default false check (not purged or (before is null and after is null)),
    primary key (key, revision)
);
comment on column config_changes.from_major is 'The change is seen by this major and all later ones.';
create index config_changes_revision on config_changes (revision);

create table config_majors (
    major integer primary key check (major >= 1),
    minor integer not null,
    patch integer not null,
    released_revision bigint not null references config_releases,
    last_asked_at timestamptz(3),
    retired_at timestamptz(3)
);
comment on column config_majors.minor is 'With patch: the newest version of this major.';

-- The workers change rows and nothing else.
grant select, update on config_head to almanac_worker;
grant select, insert, update, delete on config_entries to almanac_worker;
grant select, insert on config_releases to almanac_worker;
grant select, insert, update on config_changes to almanac_worker;
grant select, insert, update on config_majors to almanac_worker;
