-- The roles of a PostgreSQL cluster that serves Almanac, and the database of one environment.
-- Run by a superuser, once per environment; running it again changes nothing.
--
--   psql -v database=almanac_production -f sql/roles.sql
--
-- owner_password and worker_password set the passwords when given. Put them on psql's standard input
-- (\set owner_password …, then \i sql/roles.sql) rather than on its command line, which ps shows to everyone.
--
--   almanac_owner              owns the databases and their schemas; only `almanac migrate` and `almanac token` use it
--   almanac_worker             has the rights that migrations grant to it: to change rows, and nothing else
--   almanac_production_worker  the database's name and _worker: the login of that environment's workers. It has the
--                              rights of almanac_worker, and may connect to that database and to no other
--
-- Where almanac_worker itself was the login of all workers, as in earlier releases, it stays one until the variable
-- shared_login says "end": then it may connect to this database no more, and log in no more once that was the last.
-- With "keep" nothing is said about it.

\set ON_ERROR_STOP on

-- A password must not reach the server's log, whatever the cluster logs otherwise.
set log_statement = 'none';
set log_min_duration_statement = -1;
set log_min_error_statement = 'panic';

select :'database' || '_worker' as login, octet_length(:'database') > 56 as is_too_long \gset
\if :is_too_long
\warn a database with an Almanac environment needs a name of at most 56 bytes, for its login is called that and _worker
select 1 / 0 as name_too_long;
\endif

select format('create role %I', name)
from unnest(array['almanac_owner', 'almanac_worker', :'login']) as name
where not exists (select from pg_roles where rolname = name)
\gexec

alter role almanac_owner login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role almanac_worker nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role :"login" login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
set client_min_messages = warning;
grant almanac_worker to :"login";
reset client_min_messages;
-- The server's log may have slow statements, but not what people wrote or searched for.
alter role :"login" set log_parameter_max_length = 0;
alter role :"login" set log_parameter_max_length_on_error = 0;

\if :{?owner_password}
alter role almanac_owner password :'owner_password';
\endif
\if :{?worker_password}
alter role :"login" password :'worker_password';
\endif

select format(
    'create database %I owner almanac_owner template template0 encoding ''UTF8'' locale ''C.UTF-8''', :'database')
where not exists (select from pg_database where datname = :'database')
\gexec

-- Neither other roles nor the workers may make anything here: no temporary tables, no objects in the schema.
-- In transactions, so that a worker that runs meanwhile is never without what it may do.
begin;
revoke all on database :"database" from public;
revoke all on database :"database" from :"login";
grant connect on database :"database" to :"login";
commit;

-- The databases that come with PostgreSQL are open to every role. What other logins of the cluster had there, they keep.
begin;
select format('grant connect, temporary on database %I to %I', d.datname, r.rolname)
from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a, pg_roles r
where d.datname in ('postgres', 'template1') and a.grantee = 0 and a.privilege_type = 'CONNECT'
    and r.rolcanlogin and not r.rolsuper and r.rolname <> 'almanac_owner'
    and not pg_has_role(r.oid, 'almanac_worker', 'member')
\gexec
revoke all on database postgres, template1 from public;
commit;

\if :{?shared_login}
\else
\set shared_login ask
\endif
select :'shared_login' = 'end' as is_ended, :'shared_login' = 'ask' and exists (
    select from pg_database d, aclexplode(d.datacl) a, pg_roles r
    where d.datname = :'database' and r.rolname = 'almanac_worker' and a.grantee = r.oid) as is_shared \gset
\if :is_ended
revoke all on database :"database" from almanac_worker;
select 'alter role almanac_worker nologin password null'
where (select rolcanlogin from pg_roles where rolname = 'almanac_worker')
    and not exists (
        select from pg_database d, aclexplode(d.datacl) a where a.grantee = 'almanac_worker'::regrole)
\gexec
\elif :is_shared
\warn The login almanac_worker, which workers of all environments shared, can still open this database.
\endif

\connect :"database"
begin;
revoke all on schema public from public;
revoke all on schema public from :"login";
grant usage on schema public to almanac_worker;
commit;

-- Nobody but the superuser makes large objects, which no table's rights would hold for.
begin;
revoke all on function pg_catalog.lo_creat(integer), pg_catalog.lo_create(oid),
    pg_catalog.lo_from_bytea(oid, bytea) from public;
commit;
