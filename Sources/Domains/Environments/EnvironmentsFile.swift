internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// The file that lists the environments: a JSON object with a member per environment.
public enum EnvironmentsFile {
    public enum FileReader: Sendable {
        /// A worker, which must not know the owner's password and so does not read it.
        case worker
        case owner
    }

    /// Reads and validates the file, and reads the password files that it names, as far as the reader may.
    ///
    /// - Returns: At least one environment, in the file's order.
    public static func load(
        _ path: String, for reader: FileReader = .owner
    ) throws(EnvironmentsFailure) -> [EnvironmentSettings] {
        let bytes: [UInt8]
        do { bytes = try File.read(path) } catch { throw EnvironmentsFailure(path, "\(error)") }
        let document: JSONValue
        do { document = try JSONValue(parsing: bytes) } catch { throw EnvironmentsFailure(path, describe(error)) }
        guard let root = document.objectValue, !root.isEmpty else {
            throw EnvironmentsFailure(path, "expected an object with a member per environment")
        }
        var environments: [EnvironmentSettings] = []
        for member in root.members {
            guard let name = EnvironmentName(member.name) else {
                throw EnvironmentsFailure(
                    path, "'\(member.name)' is not a valid environment name; expected \(EnvironmentName.form)")
            }
            if let reason = name.reservation { throw EnvironmentsFailure(path, reason) }
            let section = try Section(member.value, name: member.name, path: path)
            environments.append(try settings(name, section, reader, path: path))
        }
        try checkIdentities(environments, path: path)
        return environments
    }

    /// Describes a failure without the text that the parser quotes, which may be a conninfo with its password.
    private static func describe(_ failure: JSONFailure) -> String {
        guard case .syntax(let line, let column, let message) = failure else { return "\(failure)" }
        let quotation = message.firstRange(of: " near ")
        return "line \(line), column \(column): \(message[..<(quotation?.lowerBound ?? message.endIndex)])"
    }

    private static func settings(
        _ name: EnvironmentName, _ section: Section, _ reader: FileReader, path: String
    ) throws(EnvironmentsFailure) -> EnvironmentSettings {
        try section.allow(
            "database", "password_file", "owner", "identity", "operators", "config_read", "origins", "limits",
            "attachments", "console", "approvals", "hooks")
        let database = try login(section)
        var owner = database
        if let ownerSection = try section.section("owner") {
            try ownerSection.allow("database", "password_file")
            owner = try login(ownerSection, readsPassword: reader == .owner)
        }
        let identity = try identity(section, of: name, path: path)
        let text = try section.string("config_read") ?? EnvironmentSettings.ConfigRead.token.rawValue
        guard let configRead = EnvironmentSettings.ConfigRead(rawValue: text) else {
            throw section.failure("'config_read' must be \"public\" or \"token\"")
        }
        let origins = try section.strings("origins")
        if let wrong = origins.first(where: { !isOrigin($0) }) {
            throw section.failure("'origins' contains '\(wrong)'; expected an origin such as https://app.example.com")
        }
        return EnvironmentSettings(
            name: name, database: database, owner: owner, identity: identity, configRead: configRead,
            origins: origins, limits: try limits(section), attachments: try attachments(section, reader),
            signIn: try signIn(section, reader), operators: try operators(section),
            approvals: try approvals(section), appearance: try appearance(section, of: name),
            consoleOrigin: try consoleOrigin(section), hooks: try hooks(section),
            attachmentsFolder: EnvironmentSettings.attachmentsFolder(
                environmentsFile: path, override: Process.variable("ALMANAC_ATTACHMENTS")))
    }

    /// Returns true if a browser may send the text as `Origin` (RFC 6454 §6.2): scheme, host and port, in lower case.
    static func isOrigin(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, ["https:", "http:"].contains(String(parts[0])), parts[1].isEmpty, !parts[2].isEmpty
        else {
            return false
        }
        return parts[2].allSatisfy { byte in
            (97...122).contains(byte) || (48...57).contains(byte) || ".-:[]".utf8.contains(byte)
        }
    }

    private static func login(
        _ section: Section, readsPassword: Bool = true
    ) throws(EnvironmentsFailure) -> ConnectionSettings {
        guard let conninfo = try section.string("database") else {
            throw section.failure("'database' is missing; expected a libpq connection string")
        }
        var password: String?
        if let path = try section.string("password_file"), readsPassword {
            let line: ArraySlice<UInt8>
            do {
                line = try File.read(path, limit: 4096).prefix { $0 != 10 && $0 != 13 }
            } catch {
                throw section.failure("cannot read the password file \(path): \(error)")
            }
            guard let text = String(validating: line, as: UTF8.self), !line.isEmpty, !line.contains(0) else {
                throw section.failure("the first line of the password file \(path) must be a password in UTF-8")
            }
            password = text
        }
        let settings = ConnectionSettings(conninfo: conninfo, password: password)
        do { try settings.check() } catch {
            throw section.failure("'database' is not a valid libpq connection string")
        }
        return settings
    }

    private static func limits(_ section: Section) throws(EnvironmentsFailure) -> Limits {
        var limits = Limits()
        guard let section = try section.section("limits") else { return limits }
        try section.allow(
            "body_bytes", "depth", "entries", "value_bytes", "flag_set_bytes", "note_title_bytes", "note_body_bytes",
            "notes", "account_bytes", "history_bytes", "attachment_bytes", "attachment_preview_bytes", "attachments",
            "attachments_bytes", "attachment_uploads", "attachment_unused_days", "batch_actions", "streams")
        limits.bodyBytes = try section.integer("body_bytes", in: 1024...(1 << 30)) ?? limits.bodyBytes
        limits.depth = try section.integer("depth", in: 1...512) ?? limits.depth
        limits.entries = try section.integer("entries", in: 1...1_000_000) ?? limits.entries
        limits.valueBytes = try section.integer("value_bytes", in: 1...(64 << 20)) ?? limits.valueBytes
        limits.flagSetBytes = try section.integer("flag_set_bytes", in: 1...(64 << 20)) ?? limits.flagSetBytes
        limits.noteTitleBytes = try section.integer("note_title_bytes", in: 1...(1 << 16)) ?? limits.noteTitleBytes
        limits.noteBodyBytes = try section.integer("note_body_bytes", in: 1...(64 << 20)) ?? limits.noteBodyBytes
        limits.notes = try section.integer("notes", in: 1...1_000_000) ?? limits.notes
        limits.accountBytes =
            try section.integer("account_bytes", in: 1...(1 << 40)).map(Int64.init) ?? limits.accountBytes
        limits.historyBytes =
            try section.integer("history_bytes", in: 0...(1 << 40)).map(Int64.init) ?? limits.historyBytes
        limits.attachmentBytes =
            try section.integer("attachment_bytes", in: 1...(100 << 20)) ?? limits.attachmentBytes
        limits.attachmentPreviewBytes =
            try section.integer("attachment_preview_bytes", in: 1...(4 << 20)) ?? limits.attachmentPreviewBytes
        limits.attachments = try section.integer("attachments", in: 0...1_000_000) ?? limits.attachments
        limits.attachmentsBytes =
            try section.integer("attachments_bytes", in: 0...(1 << 40)).map(Int64.init) ?? limits.attachmentsBytes
        limits.attachmentUploads =
            try section.integer("attachment_uploads", in: 1...1000) ?? limits.attachmentUploads
        limits.attachmentUnusedDays =
            try section.integer("attachment_unused_days", in: 1...3650) ?? limits.attachmentUnusedDays
        limits.batchActions = try section.integer("batch_actions", in: 1...10_000) ?? limits.batchActions
        limits.streams = try section.integer("streams", in: 1...10_000) ?? limits.streams
        return limits
    }
}

/// A fault in an environments file, described in one line with the file's name and without passwords.
public struct EnvironmentsFailure: Error, Sendable, CustomStringConvertible {
    public let path: String
    public let reason: String

    init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    public var description: String { "environments file \(path): \(reason)" }
}
