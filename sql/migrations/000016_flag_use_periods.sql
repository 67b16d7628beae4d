-- The evaluations of each flag and variant by hour and by day, which show how a flag is used over time.

create table flag_use_periods (
    key text collate "C" not null,
    variant text collate "C" not null,
    period text not null check (period in ('hour', 'day')),
    started_at timestamptz(0) not null,
    evaluations bigint not null check (evaluations >= 0),
    primary key (key, variant, period, started_at)
) with (fillfactor = 50);
comment on table flag_use_periods is 'Written by each worker with flag_uses. Hours become days after a week; days are deleted after a year.';
comment on column flag_use_periods.variant is 'Empty for evaluations without a variant, as in flag_uses.';
comment on column flag_use_periods.started_at is 'The start of the hour or of the day, in UTC.';
create index flag_use_periods_started_at on flag_use_periods (started_at);

grant select, insert, update, delete on flag_use_periods to almanac_worker;
