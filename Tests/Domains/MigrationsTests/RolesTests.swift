import AlmanacMigrations
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// Tests `sql/roles.sql`, which creates a login per environment that can open only that environment's database.
@Suite(.serialized) struct RolesTests {
    /// An environment's database, set up like an installation's.
    private struct Environment {
        let database = "almanac_test_" + String(UInt64.random(in: .min ... .max), radix: 36)
        let password = String(UInt64.random(in: .min ... .max), radix: 36)
        var login: String { database + "_worker" }

        /// Runs `sql/roles.sql`.
        ///
        /// - Returns: the script's warnings.
        @discardableResult
        func make(sharedLogin: String? = nil) throws -> String {
            var settings = "\\set database \(database)\n\\set worker_password \(password)\n"
            if let sharedLogin { settings += "\\set shared_login \(sharedLogin)\n" }
            let outcome = try Command.run(
                "psql", ["-Xq", "-d", try TestCluster.conninfo],
                input: Array((settings + Checkout.text("sql/roles.sql")).utf8))
            try #require(outcome.succeeded, "\(outcome.errors)")
            return outcome.errors
        }

        func connection(to other: String? = nil, as user: String? = nil) throws -> Connection {
            let conninfo = try TestCluster.conninfo
            return try Connection(
                ConnectionSettings(
                    conninfo: "\(conninfo) dbname=\(other ?? database) user=\(user ?? login)"
                        + (user == nil ? " password=\(password)" : ""), applicationName: "almanac-tests"))
        }

        func drop() {
            do {
                let superuser = try Connection(TestCluster.settings)
                try superuser.execute(script: "drop database if exists \(database) with (force)")
                try superuser.execute(script: "drop role if exists \(login)")
            } catch {
                Issue.record(error, "\(database) is left over")
            }
        }
    }

    private func with(_ count: Int, _ body: ([Environment]) throws -> Void) throws {
        let environments = (0..<count).map { _ in Environment() }
        defer { for environment in environments { environment.drop() } }
        try body(environments)
    }

    private func may(_ role: String, connectTo database: String) throws -> Bool {
        let statement = Statement("-- name: test_may_connect\nselect has_database_privilege($1, $2, 'connect') as may")
        return try Connection(TestCluster.settings).run(statement, .text(role), .text(database))[0].boolean("may")
    }

    @Test func `an environment's login opens its own database and no other`() throws {
        try with(2) { environments in
            for environment in environments {
                try environment.make()
                // A second run changes nothing.
                #expect(try environment.make() == "")
            }
            for (own, other) in [(environments[0], environments[1]), (environments[1], environments[0])] {
                #expect(throws: Never.self) { try own.connection() }
                for database in [other.database, "postgres", "template1"] {
                    let refusal = message { try own.connection(to: database) }
                    #expect(
                        refusal?.contains("permission denied for database") == true, "\(refusal ?? "it was let in")")
                }
            }
        }
    }

    @Test func `an environment's login makes no temporary table, no large object, nothing at all`() throws {
        try with(1) { environments in
            let environment = environments[0]
            try environment.make()
            let worker = try environment.connection()
            for script in [
                "create temporary table t (n integer)", "create table t (n integer)", "create schema s",
                "select lo_creat(-1)", "select lo_create(0)", "select lo_from_bytea(0, 'x')", "set role almanac_owner",
            ] {
                #expect(state { try worker.execute(script: script) } == .insufficientPrivilege, "\(script)")
            }
        }
    }

    @Test func `an environment's login has the rights that migrations grant to the workers`() throws {
        try with(1) { environments in
            let environment = environments[0]
            try environment.make()
            let owner = try Connection(
                ConnectionSettings(
                    conninfo: "\(try TestCluster.conninfo) dbname=\(environment.database) user=\(TestDatabase.owner)",
                    applicationName: "almanac-tests"))
            _ = try Migrator(owner).migrate(Migration.all(inFolder: Checkout.path("sql/migrations")))
            let worker = try environment.connection()
            for script in ["update config_head set patch = 1", "select * from notes, api_tokens, almanac_migrations"] {
                #expect(state { try worker.execute(script: script) } == nil, "\(script)")
            }
            #expect(state { try worker.execute(script: "delete from config_releases") } == .insufficientPrivilege)
        }
    }

    @Test func `an installation whose workers shared one login is brought to one for each`() throws {
        try with(1) { environments in
            let environment = environments[0]
            try environment.make()
            // Other tests of this cluster may need the login of the previous release.
            let cluster = try Connection(TestCluster.settings)
            let role = Statement(
                "-- name: test_shared\nselect rolcanlogin from pg_roles where rolname = 'almanac_worker'")
            let couldLogIn = try cluster.run(role)[0].boolean("rolcanlogin")
            defer { if couldLogIn { try? cluster.execute(script: "alter role almanac_worker login") } }
            // The setup is the state that the previous release left.
            try cluster.execute(
                script: """
                    alter role almanac_worker login;
                    grant connect on database \(environment.database) to almanac_worker;
                    grant all on database postgres, template1 to public;
                    """)
            let superuser = try Connection(
                ConnectionSettings(
                    conninfo: "\(try TestCluster.conninfo) dbname=\(environment.database)",
                    applicationName: "almanac-tests"))
            try superuser.execute(script: "grant execute on function pg_catalog.lo_creat(integer) to public")
            // A login in use stays enabled, and the script warns about it.
            #expect(try environment.make().contains("almanac_worker, which workers of all environments shared"))
            #expect(try may("almanac_worker", connectTo: environment.database))
            #expect(try environment.make(sharedLogin: "keep") == "")
            #expect(try may("almanac_worker", connectTo: environment.database))
            #expect(try environment.make(sharedLogin: "end") == "")
            #expect(try !cluster.run(role)[0].boolean("rolcanlogin"))
            for database in [environment.database, "postgres", "template1"] {
                #expect(try !may("almanac_worker", connectTo: database), "\(database)")
            }
            let worker = try environment.connection()
            #expect(state { try worker.execute(script: "select lo_creat(-1)") } == .insufficientPrivilege)
        }
    }

    @Test func `other logins of the cluster keep what they had in PostgreSQL's own databases`() throws {
        try with(2) { environments in
            // The second environment's login acts as a login of another program.
            let (environment, other) = (environments[0], environments[1])
            let superuser = try Connection(TestCluster.settings)
            try superuser.execute(
                script: "create role \(other.login) login; grant connect on database postgres, template1 to public")
            defer { try? superuser.execute(script: "drop owned by \(other.login)") }
            try environment.make()
            #expect(try may(other.login, connectTo: "postgres"))
            #expect(try !may(environment.login, connectTo: "postgres") && !may("almanac_owner", connectTo: "postgres"))
        }
    }

    @Test func `a database whose login's name would be too long is refused`() throws {
        let name = String(repeating: "a", count: 57)
        let outcome = try Command.run(
            "psql", ["-Xq", "-d", try TestCluster.conninfo, "-v", "database=\(name)"],
            input: Array(try Checkout.text("sql/roles.sql").utf8))
        #expect(!outcome.succeeded && outcome.errors.contains("at most 56 bytes"))
    }
}
