internal import AlmanacEnvironments
internal import AlmanacMigrations
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// The check that an environment's database is reachable and has the schema, and that its roles have exactly the
/// necessary rights.
struct DatabaseCheck {
    private let settings: EnvironmentSettings
    private var name: String { settings.name.text }

    init(_ settings: EnvironmentSettings) { self.settings = settings }

    /// Checks the connection and the schema.
    func findings() -> [Finding] { reach().findings }

    /// Checks the connection, the schema, the roles, the replication, the server's capacity, the backups and the clock.
    ///
    /// - Parameter now: returns this machine's time of day in milliseconds since 1970.
    func findings(now: () -> Int64) -> [Finding] {
        let (findings, worker, owner) = reach()
        guard let worker else { return findings }
        return findings + roles(worker, owner) + [replication(worker)] + CapacityCheck.findings(worker, name)
            + [backup(worker, now), clock(worker, now)]
            + detachedKeys(worker) + elsewhere(worker)
    }

    private func reach() -> (findings: [Finding], worker: Connection?, owner: Connection?) {
        let worker = session(settings.database, "database")
        let owner = session(settings.owner, "owner's login")
        var findings = [worker.finding]
        if settings.owner != settings.database { findings.append(owner.finding) }
        if let connection = worker.connection { findings.append(schema(connection)) }
        return (findings, worker.connection, owner.connection)
    }

    private func session(
        _ login: ConnectionSettings, _ check: String
    ) -> (finding: Finding, connection: Connection?) {
        do {
            return (.good(check, name, "\(login.place) is reachable"), try Connection(login))
        } catch {
            let advice =
                "check that PostgreSQL is running and accepts this login: "
                + "'database' and 'password_file' in the environments file, and " + "pg_hba.conf on the server"
            return (.failed(check, name, "\(login.place): \(error)", advice: advice), nil)
        }
    }

    private static let newerRelease = "install the release that migrated the schema, on every host"

    private func schema(_ connection: Connection) -> Finding {
        do {
            let state = try Schema.state(connection)
            do {
                try Schema.check(connection)
            } catch {
                let advice = state.warning == nil ? "run: almanac migrate \(name)" : Self.newerRelease
                return .failed("schema", name, "\(error)", advice: advice)
            }
            if let warning = state.warning { return .warning("schema", name, warning, advice: Self.newerRelease) }
            return .good("schema", name, "is at migration \(Schema.required), as this release needs")
        } catch {
            return .failed("schema", name, "\(error)", advice: "check the database's log")
        }
    }

    private func roles(_ worker: Connection, _ owner: Connection?) -> [Finding] {
        do {
            let row = try worker.run(DoctorStatements.role).single("pg_roles")
            let role = try row.text("name")
            let powers = try row.textArray("powers")
            let advice =
                "run sql/roles.sql for this database as a superuser, let its workers log in as the database's name and "
                + "_worker, remove the shared login, and grant rights only with that script"
            let finding: Finding =
                powers.isEmpty
                ? .good("worker's role", name, "'\(role)' can only read and change rows")
                : .failed(
                    "worker's role", name, "'\(role)' can do more than change rows: \(powers.joined(separator: ", "))",
                    advice: advice)
            guard let owner else { return [finding] }
            return [finding, try owners(owner, worker: role)]
        } catch {
            return [.failed("worker's role", name, "\(error)", advice: "check the database's log")]
        }
    }

    private func owners(_ owner: Connection, worker: String) throws -> Finding {
        let row = try owner.run(DoctorStatements.owner).single("pg_roles")
        let role = try row.text("name")
        if role.utf8.elementsEqual(worker.utf8) {
            return .failed(
                "owner's role", name, "workers log in as '\(role)', which owns the schema",
                advice: "give the workers their own role with sql/roles.sql, and name the owner in the member 'owner'")
        }
        let others = try row.textArray("others")
        guard others.isEmpty else {
            return .failed(
                "owner's role", name, "'\(role)' does not own \(others.joined(separator: ", "))",
                advice: "as a superuser: reassign owned by \(others[0]) to \(role), in this database")
        }
        return .good("owner's role", name, "'\(role)' owns the schema")
    }

    private func replication(_ worker: Connection) -> Finding {
        do {
            return try ReplicationCheck(worker).finding(name)
        } catch {
            return .failed("replication", name, "\(error)", advice: "check the database's log")
        }
    }

    private func backup(_ worker: Connection, _ now: () -> Int64) -> Finding {
        do {
            let row = try worker.run(DoctorStatements.upkeep).single("upkeep")
            return BackupCheck.finding(
                name, newest: try row.optionalTimestamp("backed_up_at"),
                watchedSince: try row.timestamp("watched_since"), now: now())
        } catch {
            return .skipped(
                "backup", name, "the time of the newest backup is unknown: \(error)",
                advice: "run: almanac migrate \(name)")
        }
    }

    /// The maximum number of keys in a finding.
    private static let namedKeys = 5

    /// Reports keys whose newest value an earlier version of Almanac kept from builds that could take it.
    private func detachedKeys(_ worker: Connection) -> [Finding] {
        do {
            let keys = try worker.run(DoctorStatements.detachedKeys).map { try $0.text("key") }
            guard !keys.isEmpty else { return [] }
            let more = keys.count > Self.namedKeys ? " and \(keys.count - Self.namedKeys) more" : ""
            return [
                .warning(
                    "keys", name,
                    "builds of older majors do not get the newest value of "
                        + keys.prefix(Self.namedKeys).joined(separator: ", ") + more,
                    advice: "change each of these keys; its next value reaches every build that can take it")
            ]
        } catch {
            return [
                .skipped("keys", name, "cannot be checked: \(error)", advice: "run: almanac migrate \(name)")
            ]
        }
    }

    /// Reports a database on another machine, of which only PostgreSQL can be checked.
    private func elsewhere(_ worker: Connection) -> [Finding] {
        let options = worker.options.filter { ["host", "hostaddr"].contains($0.keyword) && !$0.value.isEmpty }
        let hosts = (options.last?.value ?? "").split(separator: ",").map(String.init)
        let others = hosts.filter { !$0.hasPrefix("/") && $0 != "localhost" && !$0.hasPrefix("127.") && $0 != "::1" }
        guard !others.isEmpty else { return [] }
        return [
            .skipped(
                "disk", name, "the database is on \(others.joined(separator: ", "))",
                advice: "check the disk, the log and the certificate there")
        ]
    }

    /// Compares PostgreSQL's clock with this machine's. A difference falsifies the history's times and tokens' expiry.
    private func clock(_ connection: Connection, _ now: () -> Int64) -> Finding {
        do {
            let before = now()
            let theirs = try connection.run(DoctorStatements.clock).single("clock").timestamp("now").milliseconds
            let after = now()
            let difference = theirs < before ? theirs - before : max(0, theirs - after)
            return ClockCheck.finding(name, "PostgreSQL's clock", ahead: difference, tolerance: 1000)
        } catch {
            return .failed("clock", name, "\(error)", advice: "check the database's log")
        }
    }
}
