internal import AlmanacEnvironments
public import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// Removes an environment: its member in the file, and on request its database.
public struct EnvironmentRemoval: EnvironmentChange {
    public let steps: [String]
    private let environment: EnvironmentSettings
    private let author: Author
    private let draft: EnvironmentsDraft
    private let database: String
    private let login: String
    /// Nil if the database is not dropped.
    private let superuser: Superuser?
    private let processes: ServerProcesses

    /// Checks everything that the change needs, and changes nothing.
    ///
    /// - Parameters:
    ///   - file: the path of the environments file.
    ///   - dropsDatabase: drops the database with everything in it; otherwise the database stays unchanged.
    ///   - superuser: a connection string; nil finds the superuser of this host.
    public init(_ name: String, in file: String, dropsDatabase: Bool, superuser: String?, by author: Author) throws {
        self.author = author
        let environments = try EnvironmentsFile.load(file)
        guard let environment = environments.first(where: { $0.name.text == name }) else {
            let names = environments.map(\.name.text).joined(separator: ", ")
            throw MaintenanceFailure("\(file) has no environment '\(name)'; expected \(names)")
        }
        guard environments.count > 1 else {
            throw MaintenanceFailure("'\(name)' is the only environment of \(file), which needs at least one")
        }
        self.environment = environment
        let former = try File.read(file)
        let section = try JSONValue(parsing: former).objectValue?[name]?.objectValue
        let workers = LoginText(text: section?["database"]?.stringValue ?? "")
        database = workers.database ?? ""
        login = workers.user ?? ""
        var text = try JSONObjectText(former)
        text.remove(name)
        draft = EnvironmentsDraft(path: file, former: former, contents: text.bytes)
        try draft.check()
        processes = try ServerProcesses(reading: file)
        var steps = [
            "remove '\(name)' from \(file); the rest of the file stays unchanged",
            processes.ids.isEmpty
                ? "no process on this host reads the file, so no reload is needed"
                : "make \(processes.ids.count) processes reload the file (SIGHUP) and disconnect from the database",
        ]
        if dropsDatabase {
            guard workers.isPlain, login == database + "_worker" else {
                throw MaintenanceFailure(
                    "the connection string of '\(name)' does not name a database and its own login in plain form; "
                        + "omit --drop-database, and drop both by hand")
            }
            let users = environments.filter { $0.database.place == environment.database.place }
            guard users.count == 1 else {
                throw MaintenanceFailure(
                    "the database \(database) is shared by \(users.map(\.name.text).joined(separator: ", "))")
            }
            let owner = section?["owner"]?.objectValue?["database"]?.stringValue ?? workers.text
            let chosen = try Superuser(conninfo: superuser, beside: LoginText(text: owner), file: file)
            steps.append("drop the database \(database) and the login \(login), as \(chosen.description)")
            self.superuser = chosen
        } else {
            self.superuser = nil
        }
        self.steps = steps
    }

    public func run(_ report: (String) throws -> Void) throws -> [String] {
        // An unreachable database can't record the removal, but must not prevent it.
        _ = try? Connection(environment.owner).run(
            AuditStatements.record(.environmentRemove, by: author, subject: environment.name.text))
        try draft.publish()
        try report(steps[0])
        processes.reload()
        try report(steps[1])
        guard let superuser else {
            return [
                "the database \(database) and the login \(login) were not dropped; to drop both, run: "
                    + "drop database \"\(database)\"; drop role \"\(login)\";"
            ]
        }
        do {
            try superuser.run(
                """
                -- name: drop_database
                drop database :"database" with (force);

                """, [("database", database)])
            try superuser.run(
                """
                -- name: drop_login
                drop role :"login";

                """, [("login", login)])
        } catch {
            throw MaintenanceFailure(
                "the file no longer has the environment, but its database \(database) or login \(login) still exists: "
                    + "\(error); drop both by hand")
        }
        try report(steps[2])
        return []
    }
}
