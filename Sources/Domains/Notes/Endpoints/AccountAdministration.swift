public import AlmanacIdentity
internal import AlmanacJSON
public import AlmanacPostgreSQL
public import AlmanacTimestamps

/// Lists, exports and erases users' accounts for an operator. Exports and erasures are recorded in the audit log.
public struct AccountAdministration {
    private let connection: Connection
    private let author: Author

    /// - Parameter connection: a connection of the schema's owner.
    public init(_ connection: Connection, by author: Author) {
        self.connection = connection
        self.author = author
    }

    /// The quotas that an account uses.
    public struct Usage: Sendable {
        public let user: VerifiedUser
        public let createdAt: Timestamp
        public let updatedAt: Timestamp
        /// The number of notes, including those in the trash.
        public let notes: Int
        /// The size of all titles, bodies and tags.
        public let bytes: Int64
        /// The size of past texts and tags; nil until counted.
        public let historyBytes: Int64?

        fileprivate init(_ row: Row) throws(PostgresFailure) {
            user = VerifiedUser(issuer: try row.text("issuer"), subject: try row.text("subject"))
            createdAt = try row.timestamp("created_at")
            updatedAt = try row.timestamp("updated_at")
            notes = try row.integer("notes")
            bytes = try row.bigint("bytes")
            historyBytes = try row.optionalBigint("history_bytes")
        }
    }

    /// Returns the accounts, sorted by issuer and subject.
    ///
    /// - Parameters:
    ///   - issuer: returns only accounts of this issuer; nil returns all.
    ///   - subject: returns only accounts of this subject; nil returns all.
    public func list(issuer: String?, subject: String?) throws -> [Usage] {
        try connection.run(AccountStatements.usage(issuer: issuer, subject: subject)).map(Usage.init)
    }

    /// Writes the user's stored data as JSON in parts, history included, from one snapshot.
    ///
    /// - Returns: false if the user has no account; then nothing is written.
    public func export(_ user: VerifiedUser, _ write: ([UInt8]) throws -> Void) throws -> Bool {
        guard let row = try connection.run(AccountStatements.find(user)).first else { return false }
        let word = try Account(row).lineageSuffix
        try connection.run(AuditStatements.record(.accountExport, by: author, subject: word))
        try connection.read(for: user) { reader, cursor in try JSONWriter.export(user, cursor, reader, write) }
        return true
    }

    /// Erases the user's stored data, ends the user's sessions, and notifies the streams.
    ///
    /// - Returns: false if the user has no account.
    public func erase(_ user: VerifiedUser) throws -> Bool {
        guard let account = try connection.erase(user, by: author) else { return false }
        // An erased account is announced like a change, so that the account's streams end.
        try connection.run(
            AccountStatements.announce(account.id, revision: account.revision + 1, on: NotesService.channel))
        return true
    }
}
