internal import AlmanacPOSIX

/// The superuser of a PostgreSQL server, which creates roles and databases through `psql`.
struct Superuser {
    private let program: String
    private let arguments: [String]
    private let variables: [String: String]
    /// The way to the superuser, for messages.
    let description: String

    /// - Parameters:
    ///   - conninfo: the superuser's connection string, if the operator gave one.
    ///   - place: the connection string of an environment on the same server.
    ///   - file: the environments file; `deploy/run` stores the superuser's password beside it.
    init(conninfo: String?, beside place: LoginText, file: String) throws {
        let shell = ["-X", "-q", "-A", "-t", "-w", "-v", "ON_ERROR_STOP=1", "-d"]
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
        let passwords = "\(folder)/secrets/superuser.pgpass"
        if let conninfo {
            (program, arguments, variables) = ("psql", shell + [conninfo], [:])
            description = "--superuser"
        } else if try File.exists(passwords) {
            let login = place.with(database: "postgres", user: "postgres").text
            (program, arguments, variables) = ("psql", shell + [login], ["PGPASSFILE": passwords])
            description = passwords
        } else if Process.effectiveUser == 0, place.isLocal {
            (program, variables) = ("runuser", [:])
            let port = place.port.map { ["-p", $0] } ?? []
            arguments = ["-u", "postgres", "--", "psql"] + port + shell + ["postgres"]
            description = "the user postgres of this host"
        } else {
            throw MaintenanceFailure(
                "creating roles and databases needs PostgreSQL's superuser; name the login with --superuser, and put "
                    + "its password into libpq's password file")
        }
    }

    /// Runs a script, and returns the first line of its output.
    ///
    /// - Parameter settings: psql variables, which are passed without showing on a command line.
    @discardableResult func run(_ script: String, _ settings: [(name: String, value: String)] = []) throws -> String {
        let (input, output, errors) = (try DraftFile.unnamed(), try DraftFile.unnamed(), try DraftFile.unnamed())
        for setting in settings { try input.write("\\set \(setting.name) '\(Self.quoted(setting.value))'\n") }
        try input.write(script)
        input.rewind()
        let child: ChildProcess
        do {
            child = try ChildProcess.start(
                program, arguments, variables: variables,
                descriptors: [input.descriptor, output.descriptor, errors.descriptor])
        } catch {
            throw MaintenanceFailure("\(program) cannot be run: \(error); install Debian's postgresql-client")
        }
        guard child.wait() == 0 else {
            let text = String(decoding: errors.contents(), as: UTF8.self)
            let lines = text.split(whereSeparator: \.isNewline).filter { !$0.contains("could not change directory") }
            throw MaintenanceFailure(
                "PostgreSQL's superuser (\(description)): \(lines.prefix(3).joined(separator: " "))")
        }
        let text = String(decoding: output.contents(), as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }

    /// Quotes a text for psql's `\set`.
    private static func quoted(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}

/// A connection string of keywords and values, in which some values can be replaced.
struct LoginText {
    let text: String

    private static func value(_ keyword: String, in text: String) -> Range<String.Index>? {
        let pattern = try? Regex<(Substring, Substring)>(
            #"(?:^|\s)"# + keyword + #"\s*=\s*('(?:[^'\\]|\\.)*'|[^\s']+)"#)
        // The last of several values for one keyword is in effect.
        return pattern.flatMap { text.matches(of: $0).last }.map { $0.1.startIndex..<$0.1.endIndex }
    }

    private func value(_ keyword: String) -> String? {
        Self.value(keyword, in: text).map { range in
            let word = text[range]
            return word.hasPrefix("'") ? String(word.dropFirst().dropLast()) : String(word)
        }
    }

    var database: String? { value("dbname") }
    var user: String? { value("user") }
    var port: String? { value("port") }

    /// True if the server runs on this host.
    var isLocal: Bool { ["localhost", "127.0.0.1", "/run/postgresql", "/var/run/postgresql"].contains(value("host")) }

    /// True if database and user can be replaced.
    var isPlain: Bool { database != nil && user != nil }

    func with(database: String, user: String) -> LoginText {
        var text = text
        for (keyword, value) in [("dbname", database), ("user", user)] {
            if let range = Self.value(keyword, in: text) { text.replaceSubrange(range, with: value) }
        }
        return LoginText(text: text)
    }
}
