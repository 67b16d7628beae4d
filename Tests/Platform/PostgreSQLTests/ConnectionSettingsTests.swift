import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite struct ConnectionSettingsTests {
    @Test(arguments: [
        ("host=/run/postgresql dbname=almanac", "host=/run/postgresql dbname=almanac"),
        ("postgresql://alice:s3cret@db1:5433/almanac", "host=db1 port=5433 dbname=almanac"),
        (
            "postgresql://alice@db1,db2:5433/almanac?target_session_attrs=read-write",
            "host=db1,db2 port=,5433 dbname=almanac"
        ),
        ("hostaddr=127.0.0.1 password='s3cret with spaces'", "host=127.0.0.1"),
        ("", "libpq's default host"),
        ("nonsense", "an unreadable conninfo"),
    ])
    func `a place is named without the password`(conninfo: String, place: String) {
        let settings = ConnectionSettings(conninfo: conninfo, password: "s3cret")
        #expect(settings.place == place)
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(!dumped.contains("s3cret"))
        #expect(!"\(settings) \(String(reflecting: settings))".contains("s3cret"))
    }

    @Test(arguments: [
        "nonsense", "hst=db1", "host='db1", "password=s3 cret host=db1", "password='s3'cret' host=db1",
        "password=s3 cret=x",
        "postgresql://alice:s3@cret@db1/almanac", "postgresql://alice:s3/cret@db1/almanac",
        "postgresql://alice:s3%zzcret@db1/",
        "postgresql://alice:s3[cret@[db1/almanac", "host=db1\0 password=s3cret", "postgresql://db1/almanac?cret=s3",
    ])
    func `an unreadable conninfo is refused without repeating a password`(conninfo: String) {
        let settings = ConnectionSettings(conninfo: conninfo)
        for attempt in [{ try settings.check() }, { _ = try Connection(settings) }] {
            do {
                try attempt()
                Issue.record("passed")
            } catch PostgresFailure.unreachable(let reason) {
                #expect(reason.contains("conninfo"))
                #expect(!reason.contains("cret") && !reason.contains("s3"))
                #expect(!reason.contains("\n"))
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test func `a mistyped keyword is named`() {
        let failure = failure { try ConnectionSettings(conninfo: "hst=db1").check() }
        #expect(
            failure?.description
                == #"the database is unreachable: the conninfo is not valid: invalid connection option "hst""#)
    }

    @Test(arguments: [
        "host=/nowhere password=s3cret", "host=127.0.0.1 port=1 password=s3cret",
        "postgresql://alice:s3cret@127.0.0.1:1/almanac",
    ])
    func `an unreachable server is named without the password`(conninfo: String) throws {
        let failure = try #require(
            failure { try Connection(ConnectionSettings(conninfo: conninfo, password: "s3cret")) })
        #expect(failure.isUnavailable)
        #expect(!failure.description.contains("s3cret") && !failure.description.contains("\n"))
        #expect(failure.description.contains("/nowhere") || failure.description.contains("127.0.0.1"))
    }

    @Test func `a database that isn't there is named`() throws {
        let settings = ConnectionSettings(conninfo: try TestCluster.conninfo + " dbname=not_here")
        let failure = failure { try Connection(settings) }
        #expect(failure?.description.contains("\"not_here\" does not exist") == true)
    }

    @Test func `a session has its name and speaks UTF-8 whatever the conninfo asks for`() throws {
        let settings = ConnectionSettings(
            conninfo: try TestCluster.conninfo + " client_encoding=LATIN1", applicationName: "almanac-x")
        let row = try Connection(settings).run(session)[0]
        #expect(try row.text("name") == "almanac-x")
        #expect(try row.text("encoding") == "UTF8")
        let named = ConnectionSettings(
            conninfo: try TestCluster.conninfo + " application_name=mine options='-c statement_timeout=77s'")
        let own = try Connection(named).run(session)[0]
        #expect(try own.text("name") == "mine")
        #expect(try own.text("timeout") == "77s")
    }
}

private let session = Statement(
    """
    -- name: session
    select current_setting('application_name') as name, current_setting('client_encoding') as encoding,
           current_setting('statement_timeout') as timeout
    """)
