internal import AlmanacCryptography
internal import AlmanacEnvironments
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps
internal import AlmanacWebAuthn

/// A passkey as stored, with its person.
struct PasskeyRecord {
    let id: String
    let credential: Credential
    let transports: [String]
    let label: String
    let createdAt: Timestamp
    let lastUsedAt: Timestamp?

    init(_ row: Row) throws(PostgresFailure) {
        id = try row.text("id")
        credential = Credential(
            id: try row.bytes("credential_id"), key: try row.bytes("public_key"),
            counter: UInt32(truncatingIfNeeded: try row.bigint("counter")),
            isBackupEligible: try row.boolean("is_backup_eligible"))
        transports = try row.textArray("transports")
        label = try row.text("label")
        createdAt = try row.timestamp("created_at")
        lastUsedAt = try row.optionalTimestamp("last_used_at")
    }
}

/// A person who signs in with passkeys, as stored.
struct PasskeyPerson {
    let id: String
    let user: VerifiedUser
    let name: String?
    let scopes: [Scope]

    init(_ row: Row, id column: String) throws(PostgresFailure) {
        name = try row.optionalText("name")
        id = try row.text(column)
        user = VerifiedUser(issuer: try row.text("issuer"), subject: try row.text("subject"))
        scopes = try row.textArray("scopes").compactMap(Scope.init(rawValue:))
    }
}

/// Reads and changes the passkeys and challenges of an environment on a connection.
struct PasskeyStore {
    let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// An environment that makes challenges.
    struct Home {
        let environment: EnvironmentName
        /// The key for challenges; a restore may change it.
        let key: [UInt8]
    }

    func home(_ environment: EnvironmentName) throws(PostgresFailure) -> Home {
        let key = try connection.run(PasskeyStatements.challengeKey).single("event_ticket_keys").bytes("key")
        return Home(environment: environment, key: key)
    }

    /// Records the use of a challenge. Returns false if it was used before.
    func use(_ challenge: PasskeyChallenge) throws(PostgresFailure) -> Bool {
        let digest = SHA256.digest(challenge.bytes)
        return try !connection.run(
            PasskeyStatements.useChallenge, .bytes(digest), .timestamp(challenge.expiresAt)
        ).isEmpty
    }

    func invitation(_ secret: SessionSecret) throws(PostgresFailure) -> InvitationRecord? {
        try connection.run(InvitationStatements.find, .bytes(secret.digest)).first.map { row throws(PostgresFailure) in
            try InvitationRecord(row)
        }
    }

    /// Accepts an invitation; nil if it is not open any more, or for another person.
    ///
    /// - Parameter subject: The subject of a person whom another environment knows; nil for that of the invitation.
    func accept(
        _ secret: SessionSecret, issuer: String, subject: String?
    ) throws(PostgresFailure) -> PasskeyPerson? {
        try connection.run(InvitationStatements.accept, .bytes(secret.digest), .text(issuer), .text(subject)).first
            .map { row throws(PostgresFailure) in try PasskeyPerson(row, id: "id") }
    }

    /// Adds a passkey; nil if the person has too many or was removed. Throws `uniqueViolation` for a known credential.
    func add(
        _ credential: Credential, transports: [String], label: String, to person: PasskeyPerson
    ) throws(PostgresFailure) -> PasskeyRecord? {
        try connection.run(
            PasskeyStatements.add, .text(person.id), .bytes(credential.id), .bytes(credential.key),
            .bigint(Int64(credential.counter)), .boolean(credential.isBackupEligible), .textArray(transports),
            .text(label)
        ).first.map { row throws(PostgresFailure) in try PasskeyRecord(row) }
    }

    /// Returns the passkey of a credential with its person, who was not removed; nil if it is unknown.
    func find(
        credential id: [UInt8], issuer: String
    ) throws(PostgresFailure) -> (passkey: PasskeyRecord, person: PasskeyPerson)? {
        try connection.run(PasskeyStatements.find, .bytes(id), .text(issuer)).first.map { row throws(PostgresFailure) in
            (try PasskeyRecord(row), try PasskeyPerson(row, id: "person_id"))
        }
    }

    func person(_ user: VerifiedUser) throws(PostgresFailure) -> PasskeyPerson? {
        try connection.run(PasskeyStatements.person, .text(user.issuer), .text(user.subject)).first
            .map { row throws(PostgresFailure) in try PasskeyPerson(row, id: "id") }
    }

    /// Returns the passkeys of a person, the oldest first.
    func list(of user: VerifiedUser) throws(PostgresFailure) -> [PasskeyRecord] {
        try connection.run(PasskeyStatements.list, .text(user.issuer), .text(user.subject))
            .map { row throws(PostgresFailure) in try PasskeyRecord(row) }
    }

    /// Records a use. Returns false if another sign-in with the same or a later counter was faster.
    func use(_ passkey: PasskeyRecord, counter: UInt32) throws(PostgresFailure) -> Bool {
        try connection.run(PasskeyStatements.use, .text(passkey.id), .bigint(Int64(counter))).single("passkey")
            .boolean("is_used")
    }

    func remove(id: String, of user: VerifiedUser) throws(PostgresFailure) -> Bool {
        try connection.run(PasskeyStatements.remove, .text(id), .text(user.issuer), .text(user.subject))
            .single("passkey").boolean("is_removed")
    }

    /// Records in the audit log that a passkey was refused because its counter went back.
    func recordRefusal(of passkey: PasskeyRecord, person: PasskeyPerson) throws(PostgresFailure) {
        try connection.run(
            PasskeyStatements.refuse,
            with: [.text(passkey.id), .text(person.id), .text(CeremonyFailure.counterWentBack.description)]
                + AuditStatements.parameters(of: Author(person.user.subject, .user)))
    }
}

private enum PasskeyStatements {
    private static let columns = """
        k.id, k.credential_id, k.public_key, k.counter, k.is_backup_eligible, k.transports, k.label, k.created_at,
        k.last_used_at
        """

    static let challengeKey = Statement(
        """
        -- name: passkey_challenge_key
        select key from event_ticket_keys
        """)

    static let useChallenge = Statement(
        """
        -- name: passkey_use_challenge
        insert into used_challenges (digest, expires_at) values ($1, $2) on conflict do nothing returning digest
        """)

    static let find = Statement(
        """
        -- name: passkey_find
        select \(columns), k.person_id, p.issuer, p.subject, p.name, p.scopes
        from passkeys k join people p on p.id = k.person_id
        where k.credential_id = $1 and p.issuer = $2 and p.removed_at is null
        """)

    static let person = Statement(
        """
        -- name: passkey_person
        select id, issuer, subject, name, scopes from people where issuer = $1 and subject = $2 and removed_at is null
        """)

    static let list = Statement(
        """
        -- name: passkey_list
        select \(columns) from passkeys k join people p on p.id = k.person_id
        where p.issuer = $1 and p.subject = $2 order by k.created_at, k.id
        """)

    static let add = Statement(
        """
        -- name: passkey_add
        select \(columns) from add_passkey($1, $2, $3, $4, $5, $6, $7) k
        """)

    static let use = Statement(
        """
        -- name: passkey_use
        select use_passkey($1, $2) as is_used
        """)

    static let remove = Statement(
        """
        -- name: passkey_remove
        select remove_passkey($1, $2, $3) as is_removed
        """)

    static let refuse = Statement(
        """
        -- name: passkey_refuse
        insert into audit_log (action, subject, details, \(AuditStatements.authorColumns))
        values ('passkey.refused', $1, jsonb_build_object('person', $2::text, 'reason', $3::text), $4, $5, $6)
        """)
}
