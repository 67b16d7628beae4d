-- The presentation of the environment in the console, as set there by an administrator.

create table environment_appearance (
    singleton boolean primary key default true check (singleton),
    color text check (color ~ '^#[0-9A-Fa-f]{6}$'),
    caution boolean
);
comment on table environment_appearance is 'A null, or no row, stands for the value in the environments file.';

grant select, insert, update on environment_appearance to almanac_worker;
