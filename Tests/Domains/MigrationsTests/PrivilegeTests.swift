import AlmanacMigrations
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite struct PrivilegeTests {
    @Test func `the worker may do what the workers do`() throws {
        try TestDatabase.with(template: .migrated) { database in
            try database.connection(of: TestDatabase.owner).execute(script: Self.token)
            let worker = try database.connection(of: TestDatabase.worker)
            for script in [
                "update config_head set revision = 1, updated_at = clock_timestamp(), major = 1",
                "select * from config_head for update",
                "insert into config_releases values (1, 1, 0, 0, clock_timestamp(), 'change', 'me')",
                "insert into config_majors values (1, 0, 0, 1)",
                "update config_majors set last_asked_at = clock_timestamp()",
                """
                insert into config_entries (key, majors, value, revision, updated_at)
                values ('a', int4range(1, null), '1', 1, clock_timestamp())
                """,
                "update config_entries set value = '2'",
                "delete from config_entries",
                "insert into config_changes (revision, key, after, from_major) values (1, 'a', '1', 1)",
                "update config_changes set after = null, purged = true",
                "select * from config_entries, config_releases, config_changes, config_majors",
                "select * from api_tokens",
                "update api_tokens set last_used_at = clock_timestamp()",
                "select * from almanac_migrations",
                "insert into audit_log (action, author, author_kind) values ('config.change', 'me', 'token')",
                "select * from audit_log",
                "select make_api_token(decode(repeat('cd', 32), 'hex'), 'x', '{admin}', null, 'me', 'token', 'a')",
                "select revoke_api_token('abcdefg0', 'me', 'token', 'a')",
                """
                select begin_session(decode(repeat('ef', 32), 'hex'), 'console', 'token', 'abcdefg0', null, null, '{}',
                    '1 hour', now() + '1 day', null)
                """,
                "select * from sessions",
                "update sessions set last_used_at = now(), expires_at = now() - '1 s'::interval",
                "select end_session(id, 'session.revoked', 'me', 'token', 'a') from sessions",
                "select erase_sessions('i', 's'), remove_ended_sessions(10)",
                """
                insert into session_codes (digest, application, token_id, expires_at)
                values (decode(repeat('ef', 32), 'hex'), 'console', 'abcdefg0', now())
                """,
                "delete from session_codes returning *",
                """
                insert into login_attempts (digest, application, return_to, is_fresh, expires_at)
                values (decode(repeat('ef', 32), 'hex'), 'console', '/', false, now())
                """,
                "delete from login_attempts returning *",
                "insert into accounts (issuer, subject) values ('i', 's')",
                "select * from accounts for update",
                "update accounts set revision = 1, updated_at = clock_timestamp(), notes = 1, bytes = 1",
                """
                insert into notes
                    (account_id, id, title, body, position, created_at, updated_at, revision, text_revision)
                select id, 'n1', 't', 'b', 'a0', updated_at, updated_at, 1, 1 from accounts
                """,
                "update notes set body = 'c', deleted_at = clock_timestamp()",
                """
                insert into note_revisions (account_id, note_id, revision, action, recorded_at)
                select account_id, id, 1, 'createNote', updated_at from notes
                """,
                """
                insert into note_actions (account_id, action_id, note_id, status, revision, restored)
                select account_id, 'a', id, 'applied', 1, false from notes
                """,
                "select * from accounts, notes, note_revisions, note_actions",
                "delete from note_actions", "delete from note_revisions", "delete from notes", "delete from accounts",
                "listen almanac_config",
                "select pg_notify('almanac_config', '1')",
            ] {
                #expect(state { try worker.execute(script: script) } == nil, "\(script)")
            }
        }
    }

    @Test func `the worker may do nothing else`() throws {
        try TestDatabase.with(template: .migrated) { database in
            try database.connection(of: TestDatabase.owner).execute(script: Self.token)
            let worker = try database.connection(of: TestDatabase.worker)
            for script in [
                "create table t (n integer)", "create schema s", "create extension pgcrypto",
                "create function f() returns integer language sql as 'select 1'",
                "alter table config_head add column n integer", "drop table config_entries",
                "drop index config_entries_updated_at", "create index on config_entries (revision)",
                "alter table config_entries disable trigger all", "comment on table config_head is 'mine'",
                "delete from config_releases", "update config_releases set author = 'somebody else'",
                "delete from config_changes", "truncate config_changes", "truncate config_entries",
                "delete from config_majors", "insert into config_head default values", "delete from config_head",
                "update note_revisions set body = 'another'", "update note_actions set status = 'merged'",
                "truncate notes", "truncate accounts", "drop index notes_revision",
                "insert into api_tokens (id, digest, label, scopes) select 'abcdefg1', digest, 'x', scopes "
                    + "from api_tokens",
                "update api_tokens set digest = decode(repeat('cd', 32), 'hex')",
                "update api_tokens set scopes = array['admin']", "update api_tokens set revoked_at = null",
                "update api_tokens set expires_at = null", "delete from api_tokens", "truncate api_tokens",
                """
                insert into sessions (id, digest, application, how, name, scopes, token_id, idle, expires_at, ends_at)
                values ('abcdefghijk0', decode(repeat('ef', 32), 'hex'), 'console', 'token', 'x', '{admin}', 'abcdefg0',
                    '1 h', now(), now())
                """,
                "delete from sessions", "update sessions set scopes = '{admin}'", "truncate sessions",
                "update sessions set ends_at = now() + '1 year'", "update sessions set digest = digest",
                "update sessions set application = 'console'", "update session_codes set token_id = 'x'",
                "update login_attempts set return_to = '/'",
                "update audit_log set author = 'somebody else'", "delete from audit_log", "truncate audit_log",
                "drop table audit_log", "select audit_of_token(t) from api_tokens t",
                "insert into almanac_migrations values (99, 'x', 'y')", "delete from almanac_migrations",
                "update almanac_migrations set digest = 'x'",
                "set role almanac_owner", "set session authorization almanac_owner", "create role r",
                "create database d",
                "copy config_head to program 'cat'", "copy config_entries from '/etc/passwd'",
                "select pg_read_file('/etc/passwd')", "alter role almanac_worker superuser",
            ] {
                #expect(state { try worker.execute(script: script) } == .insufficientPrivilege, "\(script)")
            }
        }
    }

    @Test func `the worker cannot migrate`() throws {
        try TestDatabase.with(template: .owned) { database in
            let worker = try database.connection(of: TestDatabase.worker)
            let all = try Migration.all(inFolder: Checkout.path("sql/migrations"))
            #expect(state { try Migrator(worker).migrate(all) } == .insufficientPrivilege)
        }
    }

    private static let token = """
        insert into api_tokens (id, digest, label, scopes)
        values ('abcdefg0', decode(repeat('ab', 32), 'hex'), 'tests', array['config:read'])
        """
}
