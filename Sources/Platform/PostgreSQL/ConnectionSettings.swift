/// Where a database is and who asks it.
public struct ConnectionSettings: Sendable, Equatable {
    let conninfo: String
    let password: String?
    let applicationName: String
    /// In place of the conninfo's database.
    var database: String?

    /// - Parameters:
    ///   - conninfo: libpq's own, keywords and values or a URI ("Connection Strings" of PostgreSQL's manual).
    ///   - password: goes before one in `conninfo` and in libpq's password file.
    ///   - applicationName: what `pg_stat_activity` shows, unless `conninfo` says something else.
    public init(conninfo: String, password: String? = nil, applicationName: String = "almanac") {
        self.conninfo = conninfo
        self.password = password
        self.applicationName = applicationName
    }

    /// Refuses a conninfo that libpq can't read, without connecting.
    ///
    /// - Throws: `.unreachable`, saying what is wrong; a part of the text that may be a password is not repeated.
    public func check() throws(PostgresFailure) {
        _ = try Conninfo(parsing: conninfo)
    }

    /// Host, port and database, for a line about what went wrong there: `host=db1 port=5432 dbname=almanac`.
    public var place: String {
        (try? Conninfo(parsing: conninfo).place) ?? "an unreadable conninfo"
    }

    /// The keywords and values to connect with; of two with one keyword the later one holds.
    var options: [(keyword: String, value: String)] {
        // What a user's conninfo may say otherwise.
        var options = [
            ("fallback_application_name", applicationName),
            ("connect_timeout", "5"),
            ("keepalives_idle", "10"),
            ("keepalives_interval", "5"),
            ("keepalives_count", "3"),
            ("tcp_user_timeout", "20000"),
            ("dbname", conninfo),
        ]
        if let database { options.append(("dbname", database)) }
        if let password { options.append(("password", password)) }
        // Every text is read and written as UTF-8, whatever else the conninfo asks for.
        options.append(("client_encoding", "UTF8"))
        return options
    }
}

extension ConnectionSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { place }
    public var debugDescription: String { place }
    public var customMirror: Mirror { Mirror(self, children: ["place": place]) }
}
