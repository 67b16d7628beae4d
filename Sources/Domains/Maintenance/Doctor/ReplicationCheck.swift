internal import AlmanacPostgreSQL

/// The check that an acknowledged write survives the loss of the primary server.
struct ReplicationCheck {
    /// True if the login names more than one server.
    var namesSeveralServers = false
    /// True if the login picks the server that accepts writes (`target_session_attrs`).
    var choosesPrimary = false
    var isStandby = false
    /// The number of standbys that are connected now.
    var standbys = 0
    /// PostgreSQL's `synchronous_standby_names` and `synchronous_commit`.
    var synchronousNames = ""
    var synchronousCommit = "on"

    func finding(_ place: String) -> Finding {
        let check = "replication"
        let chosen = "name all servers in 'database', with target_session_attrs=read-write"
        if isStandby {
            return .failed(check, place, "the login reaches a standby, which accepts no writes", advice: chosen)
        }
        if namesSeveralServers, !choosesPrimary {
            return .warning(check, place, "the login may reach a standby, which accepts no writes", advice: chosen)
        }
        guard !synchronousNames.isEmpty else {
            guard standbys > 0 || namesSeveralServers else { return .good(check, place, "there is no standby") }
            return .warning(
                check, place, "replication is asynchronous: a failover may lose acknowledged writes",
                advice: "set synchronous_standby_names, such as 'ANY 1 (*)'; Patroni: synchronous_mode; "
                    + "pg_auto_failover: number_sync_standbys")
        }
        if standbys == 0 {
            return .failed(
                check, place, "writes wait for standbys (\(synchronousNames)), but no standby is connected",
                advice: "check that the standbys are running and reach this server, or empty synchronous_standby_names")
        }
        if ["off", "local"].contains(synchronousCommit) {
            return .warning(
                check, place, "synchronous_commit is \(synchronousCommit): a failover may lose acknowledged writes",
                advice: "set it to on, for the server, this database and this role")
        }
        return .good(check, place, "a write is acknowledged once standbys have it: \(synchronousNames)")
    }
}

extension ReplicationCheck {
    /// Inspects the server that a worker's login reaches.
    init(_ connection: Connection) throws {
        let options = Dictionary(connection.options.map { ($0.keyword, $0.value) }) { $1 }
        namesSeveralServers = [options["host"], options["hostaddr"]].contains { $0?.contains(",") == true }
        choosesPrimary = ["read-write", "primary"].contains(options["target_session_attrs"] ?? "any")
        let row = try connection.run(DoctorStatements.replication).single("the server")
        isStandby = try row.boolean("is_standby")
        standbys = Int(try row.bigint("standbys"))
        synchronousNames = try row.text("names")
        synchronousCommit = try row.text("commit")
    }
}
