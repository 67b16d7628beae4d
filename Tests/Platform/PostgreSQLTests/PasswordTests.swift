import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite struct PasswordTests {
    @Test func `a wrong password is not repeated, and the right one goes before the conninfo's`() throws {
        let admin = try Connection(TestCluster.settings)
        try admin.execute(script: askForPasswords)
        let role = "almanac_test_" + String(UInt64.random(in: .min ... .max), radix: 36)
        try admin.execute(script: "create role \(role) login password 'r1ght' in role almanac_test_with_password")
        defer { _ = try? admin.execute(script: "drop role \(role)") }
        let conninfo = try TestCluster.conninfo + " user=\(role)"

        // The server reloads its changed rules asynchronously.
        let noPassword = ConnectionSettings(conninfo: conninfo, password: "")
        let deadline = ContinuousClock.now + .seconds(20)
        while failure({ try Connection(noPassword) }) == nil, ContinuousClock.now < deadline {}

        for settings in [
            ConnectionSettings(conninfo: conninfo + " password=wr0ng"),
            ConnectionSettings(conninfo: conninfo, password: "wr0ng"),
            ConnectionSettings(conninfo: conninfo + " password=r1ght", password: "wr0ng"),
        ] {
            let failure = try #require(failure { try Connection(settings) })
            #expect(failure.isUnavailable)
            #expect(failure.description.contains("password authentication failed"))
            #expect(!failure.description.contains("wr0ng") && !failure.description.contains("r1ght"))
        }
        #expect(try Connection(ConnectionSettings(conninfo: conninfo + " password=wr0ng", password: "r1ght")).isUsable)
        #expect(try Connection(ConnectionSettings(conninfo: conninfo + " password=r1ght")).isUsable)
    }

    /// The script that adds rules to the cluster's `pg_hba.conf`, once. The rules require passwords from this test's
    /// roles only.
    private var askForPasswords: String {
        """
        do $script$
        declare
            path text := current_setting('hba_file');
            hba text := pg_read_file(path);
            rules text := E'local all +almanac_test_with_password scram-sha-256\\n'
                || E'host all +almanac_test_with_password all scram-sha-256\\n';
            object oid;
        begin
            if not exists (select from pg_roles where rolname = 'almanac_test_with_password') then
                create role almanac_test_with_password;
            end if;
            -- A cluster that serves Almanac is closed to roles that it doesn't know.
            execute format('grant connect on database %I to almanac_test_with_password', current_database());
            if position(rules in hba) = 0 then
                object := lo_from_bytea(0, convert_to(rules || hba, 'UTF8'));
                perform lo_export(object, path), lo_unlink(object);
                perform pg_reload_conf();
            end if;
        end
        $script$
        """
    }
}
