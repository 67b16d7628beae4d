-- The roles of a PostgreSQL cluster that serves Almanac, and the database of one environment.
-- Run by a superuser, once per environment; running it again changes nothing.
--
--   psql -v database=almanac_production -f sql/roles.sql
--
-- owner_password and worker_password set the passwords when given. Put them on psql's standard input
-- (\set owner_password …, then \i sql/roles.sql) rather than on its command line, which ps shows to everyone.
--
--   almanac_owner   owns the database and its schema; only `almanac migrate` and `almanac token` use it
--   almanac_worker  changes rows in the tables that migrations grant to it, and nothing else

\set ON_ERROR_STOP on

-- A password must not reach the server's log, whatever the cluster logs otherwise.
set log_statement = 'none';
set log_min_duration_statement = -1;
set log_min_error_statement = 'panic';

select format('create role %I', name)
from unnest(array['almanac_owner', 'almanac_worker']) as name
where not exists (select from pg_roles where rolname = name)
\gexec

alter role almanac_owner login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role almanac_worker login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
-- The server's log may have slow statements, but not what people wrote or searched for.
alter role almanac_worker set log_parameter_max_length = 0;
alter role almanac_worker set log_parameter_max_length_on_error = 0;

\if :{?owner_password}
alter role almanac_owner password :'owner_password';
\endif
\if :{?worker_password}
alter role almanac_worker password :'worker_password';
\endif

select format(
    'create database %I owner almanac_owner template template0 encoding ''UTF8'' locale ''C.UTF-8''', :'database')
where not exists (select from pg_database where datname = :'database')
\gexec

-- Neither other roles nor the workers may make anything here: no temporary tables, no objects in the schema.
-- In transactions, so that a worker that runs meanwhile is never without what it may do.
begin;
revoke all on database :"database" from public;
revoke all on database :"database" from almanac_worker;
grant connect on database :"database" to almanac_worker;
commit;

\connect :"database"
begin;
revoke all on schema public from public;
revoke all on schema public from almanac_worker;
grant usage on schema public to almanac_worker;
commit;
