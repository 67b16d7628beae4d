internal import AlmanacCLibPQ

/// Where a database is and who asks it.
public struct ConnectionSettings: Sendable, Equatable {
    let conninfo: String
    let password: String?
    let applicationName: String
    /// In place of the conninfo's database.
    var database: String?
    /// The longest that a statement may run; nil for as long as the server lets it.
    var statementTimeout: Duration?

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
        // Defaults that a user's conninfo may change.
        var options = [
            ("fallback_application_name", applicationName),
            // Whose statements are limited has somebody who waits for an answer.
            ("connect_timeout", statementTimeout == nil ? "5" : "3"),
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

    /// The same login, whose statements the server cancels (`queryCanceled`) when they have run for so long, time that
    /// they wait for locks included.
    public func limitingStatements(to timeout: Duration) -> ConnectionSettings {
        var settings = self
        settings.statementTimeout = timeout
        return settings
    }

    /// The same login in another database of the same server.
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

/// A conninfo taken apart by libpq.
struct Conninfo {
    private let values: [String: String]

    /// - Throws: `.unreachable` with what is wrong, safe to log.
    init(parsing text: String) throws(PostgresFailure) {
        if text.utf8.contains(0) { throw .unreachable("the conninfo holds a zero byte") }
        var complaint: UnsafeMutablePointer<CChar>? = nil
        // Safe because both answers are copied and then freed, each once.
        let options = unsafe PQconninfoParse(text, &complaint)
        defer {
            unsafe PQconninfoFree(options)
            unsafe PQfreemem(complaint)
        }
        guard let options = unsafe options else {
            let reason = unsafe complaint.map { unsafe String(cString: $0).asOneLine } ?? "out of memory"
            throw .unreachable("the conninfo can't be read: \(Self.redacted(reason, about: text))")
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
        // `postgresql://user:p@ss@host/db` reads as the host `ss@host`, and errors about hosts name them.
        if ["host", "dbname", "port"].contains(where: { values[$0]?.utf8.contains(UInt8(ascii: "@")) == true }) {
            throw .unreachable(
                "the conninfo has an @ in its host, port or dbname; "
                    + "in a URI's user or password write %40 for @ and %2F for /")
        }
    }

    /// Host, port and database.
    var place: String {
        let host = values["host"] ?? values["hostaddr"]
        let parts = [
            ("service", values["service"]), ("host", host), ("port", values["port"]), ("dbname", values["dbname"]),
        ]
        let named = parts.compactMap { keyword, value in value.map { "\(keyword)=\($0)" } }
        return named.isEmpty ? "libpq's default host" : named.joined(separator: " ")
    }

    /// libpq quotes the place where it stopped reading, which may be the middle of a password.
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
    /// The words of libpq's texts of several lines, in one line.
    var asOneLine: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
