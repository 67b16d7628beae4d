internal import AlmanacCLibPQ

/// The address of a database and the login.
public struct ConnectionSettings: Sendable, Equatable {
    let conninfo: String
    let password: String?
    let applicationName: String
    /// The database that replaces the one of the conninfo.
    var database: String?
    /// The limit on the duration of a statement, or nil for the server's limit.
    var statementTimeout: Duration?

    /// - Parameters:
    ///   - conninfo: Keywords and values, or a URI ("Connection Strings" in PostgreSQL's manual).
    ///   - password: A password that precedes those of `conninfo` and libpq's password file.
    ///   - applicationName: The name in `pg_stat_activity`, unless `conninfo` sets one.
    public init(conninfo: String, password: String? = nil, applicationName: String = "almanac") {
        self.conninfo = conninfo
        self.password = password
        self.applicationName = applicationName
    }

    /// Checks that libpq can parse the conninfo, without connecting. Throws `.unreachable` with the reason, in which
    /// possible passwords are redacted.
    public func check() throws(PostgresFailure) { _ = try Conninfo(parsing: conninfo) }

    /// The host, port and database for messages: `host=db1 port=5432 dbname=almanac`.
    public var place: String { (try? Conninfo(parsing: conninfo).place) ?? "an unreadable conninfo" }

    /// The options for connecting. Of two options with the same keyword, the later one applies.
    var options: [(keyword: String, value: String)] {
        // The conninfo may override these defaults.
        var options = [
            ("fallback_application_name", applicationName),
            // A login with limited statements serves a waiting caller, so it also connects with a shorter timeout.
            ("connect_timeout", statementTimeout == nil ? "5" : "3"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "20000"),
            ("dbname", conninfo),
        ]
        if let database { options.append(("dbname", database)) }
        if let password { options.append(("password", password)) }
        // All texts are exchanged as UTF-8, whatever encoding the conninfo sets.
        options.append(("client_encoding", "UTF8"))
        return options
    }

    /// Returns the same login with a limit on the duration of statements, including their waits for locks. The server
    /// cancels longer statements (`queryCanceled`).
    public func limitingStatements(to timeout: Duration) -> ConnectionSettings {
        var settings = self
        settings.statementTimeout = timeout
        return settings
    }

    /// Returns the same login for another database of the same server.
    public func inDatabase(_ name: String) -> ConnectionSettings {
        var settings = self
        settings.database = name
        return settings
    }
}

extension ConnectionSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { place }
    public var debugDescription: String { place }
    public var customMirror: Mirror { Mirror(self, children: ["place": place]) }
}

struct Conninfo {
    private let values: [String: String]

    /// - Throws: `.unreachable` with the reason, safe to log.
    init(parsing text: String) throws(PostgresFailure) {
        if text.utf8.contains(0) { throw .unreachable("the conninfo contains a zero byte") }
        var complaint: UnsafeMutablePointer<CChar>? = nil
        // Safe because both answers are copied and then freed, each once.
        let options = unsafe PQconninfoParse(text, &complaint)
        defer {
            unsafe PQconninfoFree(options)
            unsafe PQfreemem(complaint)
        }
        guard let options = unsafe options else {
            let reason = unsafe complaint.map { unsafe String(cString: $0).asOneLine } ?? "out of memory"
            throw .unreachable("the conninfo is not valid: \(Self.redacted(reason, about: text))")
        }
        var values: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe values[String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option += 1
        }
        self.values = values
        // `postgresql://user:p@ss@host/db` has the host `ss@host`, and errors about hosts would reveal the password.
        if ["host", "dbname", "port"].contains(where: { values[$0]?.utf8.contains(UInt8(ascii: "@")) == true }) {
            throw .unreachable(
                "the conninfo has an @ in its host, port or dbname; "
                    + "in the user or password of a URI, write %40 for @ and %2F for /")
        }
    }

    var place: String {
        let host = values["host"] ?? values["hostaddr"]
        let parts = [
            ("service", values["service"]), ("host", host), ("port", values["port"]), ("dbname", values["dbname"]),
        ]
        let named = parts.compactMap { keyword, value in value.map { "\(keyword)=\($0)" } }
        return named.isEmpty ? "libpq's default host" : named.joined(separator: " ")
    }

    /// Redacts quotations in a message of libpq, because the text where parsing stopped may be part of a password.
    private static func redacted(_ complaint: String, about text: String) -> String {
        guard text.contains("pass") || text.contains("://") else { return complaint }
        var isQuoted = false
        return complaint.split(separator: "\"", omittingEmptySubsequences: false).map { part in
            defer { isQuoted.toggle() }
            return isQuoted && part != "=" ? "…" : String(part)
        }.joined(separator: "\"")
    }
}

extension String {
    /// The words of a multi-line message of libpq, in one line.
    var asOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
