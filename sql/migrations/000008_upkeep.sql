-- What the command line notes about the database as a whole: the environment that it is of, and its newest backup. One
-- row, apart from the head of the config, which every change locks.
create table upkeep (
    singleton boolean primary key default true check (singleton),
    environment text check (environment ~ '^[a-z][a-z0-9-]{0,31}$'),
    backed_up_at timestamptz(3),
    watched_since timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
);
comment on column upkeep.environment is 'Its name in the environments file; null until the command line has noted it. A backup carries it along.';
comment on column upkeep.backed_up_at is 'The moment that the newest backup of almanac backup holds.';
comment on column upkeep.watched_since is 'From here the age of the newest backup counts where there is none.';
insert into upkeep default values;

grant select on upkeep to almanac_worker;
