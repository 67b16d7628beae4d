-- When flags were last evaluated, and the key of the tickets that open their streams.

create table flag_uses (
    key text collate "C" not null,
    variant text collate "C" not null,
    last_evaluated_at timestamptz(3) not null,
    evaluations bigint not null check (evaluations >= 0),
    primary key (key, variant)
) with (fillfactor = 50);
comment on table flag_uses is 'Written by each worker every 20 seconds at most, for flags that are there.';
comment on column flag_uses.variant is 'Empty where no variant was given: the flag was off, had an error, or left the value to the caller.';
comment on column flag_uses.evaluations is 'How many there were, but for what workers had not written down when they were killed.';

create table event_ticket_keys (
    singleton boolean primary key default true check (singleton),
    key bytea not null check (octet_length(key) = 32)
);
comment on column event_ticket_keys.key is 'Signs the tickets of streams (HMAC-SHA256), which name the environment and the lineage too. To make all that are out worthless, the owner sets another one.';
insert into event_ticket_keys (key)
values (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

grant select, insert, update, delete on flag_uses to almanac_worker;
grant select on event_ticket_keys to almanac_worker;
