-- The timeline of PostgreSQL's log on which the lineage was made. A standby that is promoted counts on another one, and
-- may lack the last commits: then the lineage is renewed before anything is written.
alter table config_head add column timeline text not null default '00000000' check (timeline ~ '^[0-9A-F]{8}$');
comment on column config_head.timeline is 'That of PostgreSQL''s log on which the lineage was made; 0 where nobody knows.';

-- Where a standby was promoted before, nobody knows what was lost then: the next write renews the lineage.
update config_head set timeline = left(pg_walfile_name(pg_current_wal_lsn()), 8)
where left(pg_walfile_name(pg_current_wal_lsn()), 8) = '00000001'
    or revision = 0 and not exists (select from accounts);
