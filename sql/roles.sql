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
SET log_statement = 'none';
SET log_min_duration_statement = -1;
SET log_min_error_statement = 'panic';

SELECT format('CREATE ROLE %I', name)
FROM unnest(ARRAY['almanac_owner', 'almanac_worker']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
\gexec

ALTER ROLE almanac_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
ALTER ROLE almanac_worker LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;

\if :{?owner_password}
ALTER ROLE almanac_owner PASSWORD :'owner_password';
\endif
\if :{?worker_password}
ALTER ROLE almanac_worker PASSWORD :'worker_password';
\endif

SELECT format('CREATE DATABASE %I OWNER almanac_owner TEMPLATE template0 ENCODING ''UTF8'' LOCALE ''C.UTF-8''', :'database')
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database')
\gexec

-- Neither other roles nor the workers may make anything here: no temporary tables, no objects in the schema.
-- In transactions, so that a worker that runs meanwhile is never without what it may do.
BEGIN;
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
REVOKE ALL ON DATABASE :"database" FROM almanac_worker;
GRANT CONNECT ON DATABASE :"database" TO almanac_worker;
COMMIT;

\connect :"database"
BEGIN;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
REVOKE ALL ON SCHEMA public FROM almanac_worker;
GRANT USAGE ON SCHEMA public TO almanac_worker;
COMMIT;
