internal import AlmanacCLibPQ

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
