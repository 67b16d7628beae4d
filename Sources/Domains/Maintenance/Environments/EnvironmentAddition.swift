public import AlmanacEnvironments
public import AlmanacIdentity
public import AlmanacJSON
internal import AlmanacMigrations
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// Adds an environment on the PostgreSQL server of an existing one: database, roles, schema, and the member in the
/// environments file.
public struct EnvironmentAddition: EnvironmentChange {
    /// The operator's choices.
    public struct Request: Sendable {
        public let name: EnvironmentName
        /// The path of the environments file.
        public let file: String
        /// The folder with `roles.sql` and the migrations.
        public let sql: String
        /// The environment whose server and password files are shared; nil for the first in the file.
        public var template: String?
        /// The name of the database; nil for `almanac_` and the environment's name.
        public var database: String?
        /// A connection string; nil finds the superuser of this host.
        public var superuser: String?
        public var configRead = EnvironmentSettings.ConfigRead.token
        /// The member `identity`; nil for an environment without users.
        public var identity: JSONValue?
        /// Permits using an existing database of that name unchanged.
        public var usesExistingDatabase = false

        public init(name: EnvironmentName, file: String, sql: String) {
            self.name = name
            self.file = file
            self.sql = sql
        }
    }

    public let steps: [String]
    private let request: Request
    private let author: Author
    private let superuser: Superuser
    private let draft: EnvironmentsDraft
    private let roles: String
    private let migrations: [Migration]
    private let database: String
    private let password: String?
    private let hadDatabase: Bool
    private let hadLogin: Bool
    private let processes: ServerProcesses

    private var login: String { database + "_worker" }

    /// Checks everything that the change needs, and changes nothing.
    public init(_ request: Request, by author: Author) throws {
        self.request = request
        self.author = author
        let name = request.name.text
        let environments = try EnvironmentsFile.load(request.file)
        guard !environments.contains(where: { $0.name == request.name }) else {
            throw MaintenanceFailure("\(request.file) already has an environment '\(name)'")
        }
        let former = try File.read(request.file)
        let template = try Self.template(request.template ?? environments[0].name.text, in: former, request.file)
        database = request.database ?? "almanac_\(name)"
        guard database.wholeMatch(of: /[a-z_][a-z0-9_-]{0,55}/) != nil else {
            throw MaintenanceFailure(
                "'\(database)' is not a valid name for a database; expected [a-z_][a-z0-9_-]{0,55}")
        }
        let workers = LoginText(text: template.database).with(database: database, user: database + "_worker")
        let owner = LoginText(text: template.owner)
        password = try template.passwordFile.map { path in
            String(decoding: try File.read(path, limit: 4096).prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
        }
        do { roles = String(decoding: try File.read("\(request.sql)/roles.sql"), as: UTF8.self) } catch {
            throw MaintenanceFailure("\(request.sql)/roles.sql: \(error); name the folder with --sql")
        }
        migrations = try Migration.all(inFolder: request.sql + "/migrations")
        superuser = try Superuser(conninfo: request.superuser, beside: owner, file: request.file)
        (hadDatabase, hadLogin) = try Self.find(database, superuser)
        guard !hadDatabase || request.usesExistingDatabase else {
            throw MaintenanceFailure(
                "the database \(database) exists already; check its contents, then give "
                    + "--existing-database to use it unchanged")
        }
        var text = try JSONObjectText(former)
        text.append(
            name,
            Self.member(
                request, template, workers.text, owner.with(database: database, user: owner.user ?? "").text))
        draft = EnvironmentsDraft(path: request.file, former: former, contents: text.bytes)
        try draft.check()
        processes = try ServerProcesses(reading: request.file)
        steps = [
            (hadDatabase ? "use the existing database \(database)" : "create the database \(database)")
                + ", and set up its roles with \(request.sql)/roles.sql, as \(superuser.description)",
            "migrate its schema to migration \(migrations.count), and log in as \(database)_worker",
            "add '\(name)' to \(request.file); the rest of the file stays unchanged",
            processes.ids.isEmpty
                ? "no process on this host reads the file, so no reload is needed"
                : "make \(processes.ids.count) processes reload the file (SIGHUP), and wait until their workers log in",
        ]
    }

    public func run(_ report: (String) throws -> Void) throws -> [String] {
        do {
            try makeDatabase()
            try report(steps[0])
            let environment = try migrate()
            try report(steps[1])
            try draft.publish()
            try report(steps[2])
            return try reloadPrograms(environment, report)
        } catch let failure as ReloadPending {
            throw failure
        } catch {
            throw MaintenanceFailure("\(error). \(undo())")
        }
    }

    private func makeDatabase() throws {
        var settings = [("database", database), ("shared_login", "keep")]
        if let password { settings.append(("worker_password", password)) }
        try superuser.run(roles, settings.map { (name: $0.0, value: $0.1) })
    }

    private func migrate() throws -> EnvironmentSettings {
        let folder = request.file.lastIndex(of: "/").map { String(request.file[...$0]) } ?? "./"
        let (file, path) = try DraftFile.named("\(folder).environments-", ending: ".json")
        defer { File.remove(path) }
        try file.write(draft.contents)
        guard let settings = try EnvironmentsFile.load(path).first(where: { $0.name == request.name }) else {
            preconditionFailure("the draft has the environment")
        }
        let owner = try Connection(settings.owner)
        _ = try Migrator(owner).migrate(migrations)
        try owner.run(AuditStatements.record(.environmentAdd, by: author, subject: request.name.text))
        _ = try Connection(settings.database)
        return settings
    }

    /// Makes the programs load the environment, and waits until they have.
    private func reloadPrograms(_ environment: EnvironmentSettings, _ report: (String) throws -> Void) throws
        -> [String]
    {
        let advice =
            "reload the file on the hosts of the programs: systemctl reload almanac-worker almanac-events, "
            + "deploy/run --reload, or docker compose kill -s HUP worker events"
        guard !processes.ids.isEmpty else {
            try report(steps[3])
            return [advice]
        }
        processes.reload()
        let connection = try Connection(environment.owner)
        let deadline = ContinuousClock.now + .seconds(20)
        while try connection.run(AdditionStatements.sessions, .text(login)).single("sessions").bigint("count") == 0 {
            guard ContinuousClock.now < deadline else {
                throw ReloadPending(
                    description:
                        "the environment is created, but the programs have not logged in to \(database) yet; check "
                        + "their log, and \(advice)")
            }
            _ = try Event().wait(upTo: .milliseconds(100))
        }
        try report(steps[3])
        return []
    }

    /// Drops the new database and login. The environments file is still unchanged.
    private func undo() -> String {
        guard !hadDatabase else { return "The environments file was not changed; the database \(database) stays." }
        do {
            try superuser.run(
                """
                -- name: undo_database
                drop database if exists :"database" with (force);

                """, [("database", database)])
            if !hadLogin {
                try superuser.run(
                    """
                    -- name: undo_login
                    drop role if exists :"login";

                    """, [("login", login)])
            }
            return
                "All steps were undone: the database and the login were dropped; the environments file was not changed."
        } catch {
            return "The environments file was not changed, but the database \(database) and the login \(login) may be "
                + "left over (\(error)); drop both, or continue with --existing-database."
        }
    }

    private static func find(_ database: String, _ superuser: Superuser) throws -> (database: Bool, login: Bool) {
        let found = try superuser.run(
            """
            -- name: find_database
            select exists (select from pg_database where datname = :'database'),
                exists (select from pg_roles where rolname = :'database' || '_worker'),
                (select rolsuper from pg_roles where rolname = current_user);
            """, [("database", database)]
        ).split(separator: "|")
        guard found.count == 3, found[2] == "t" else {
            throw MaintenanceFailure("the login of \(superuser.description) is not a superuser")
        }
        return (found[0] == "t", found[1] == "t")
    }

    private typealias Template = (
        database: String, passwordFile: String?, owner: String, ownerPasswordFile: String?, consoleOrigin: String?
    )

    private static func template(_ name: String, in file: [UInt8], _ path: String) throws -> Template {
        guard let section = try JSONValue(parsing: file).objectValue?[name]?.objectValue,
            let database = section["database"]?.stringValue
        else { throw MaintenanceFailure("\(path) has no environment '\(name)' to use as a template") }
        let owner = section["owner"]?.objectValue
        let template = (
            database, section["password_file"]?.stringValue, owner?["database"]?.stringValue ?? database,
            owner?["password_file"]?.stringValue, section["console"]?.objectValue?["origin"]?.stringValue
        )
        guard LoginText(text: template.0).isPlain, LoginText(text: template.2).isPlain else {
            throw MaintenanceFailure(
                "the connection strings of '\(name)' do not have plain dbname=… and user=…; name another "
                    + "environment with --like, or edit the file by hand")
        }
        return template
    }

    private static func member(
        _ request: Request, _ template: Template, _ database: String, _ owner: String
    ) -> String {
        func text(_ value: String) -> String { "\(JSONValue.string(value))" }
        var members = ["\"database\": \(text(database))"]
        if let passwordFile = template.passwordFile { members.append("\"password_file\": \(text(passwordFile))") }
        var ownerMembers = ["\"database\": \(text(owner))"]
        if let passwordFile = template.ownerPasswordFile {
            ownerMembers.append("\"password_file\": \(text(passwordFile))")
        }
        members.append("\"owner\": {\n      \(ownerMembers.joined(separator: ",\n      "))\n    }")
        if let identity = request.identity { members.append("\"identity\": \(identity)") }
        if let origin = template.consoleOrigin { members.append("\"console\": {\"origin\": \(text(origin))}") }
        members.append("\"config_read\": \(text(request.configRead.rawValue))")
        return "{\n    \(members.joined(separator: ",\n    "))\n  }"
    }
}

/// The error after everything was created, but before the programs have loaded the environment.
private struct ReloadPending: Error, CustomStringConvertible {
    let description: String
}

enum AdditionStatements {
    /// Counts the sessions of a login in the database.
    static let sessions = Statement(
        """
        -- name: environment_sessions
        select count(*) as count from pg_stat_activity where datname = current_database() and usename = $1
        """)
}
