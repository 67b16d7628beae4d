internal import AlmanacPOSIX
public import AlmanacPostgreSQL

/// The PostgreSQL cluster that the test script started for this run.
public enum TestCluster {
    /// The superuser's conninfo string from the environment's `ALMANAC_TEST_CLUSTER`, such as `host=/tmp/x port=5433
    /// user=postgres dbname=postgres`.
    public static var conninfo: String {
        get throws {
            guard let conninfo = Process.variable("ALMANAC_TEST_CLUSTER") else { throw Missing() }
            return conninfo
        }
    }

    /// The superuser's settings for a connection of `PostgreSQL`.
    public static var settings: ConnectionSettings {
        get throws { ConnectionSettings(conninfo: try conninfo, applicationName: "almanac-tests") }
    }

    /// The failure of a test that needs the cluster, so that the test does not pass without checking anything.
    struct Missing: Error, CustomStringConvertible {
        var description: String {
            "ALMANAC_TEST_CLUSTER is not set: this test needs a PostgreSQL cluster. Run the tests with deploy/test, "
                + "which starts one."
        }
    }
}
