internal import AlmanacRevisions
internal import AlmanacSQLite

/// The owner of a file and the progress of reading from the server.
struct SyncTable {
    let database: SQLiteDatabase

    /// Returns the owner; nil if the file has none yet.
    func owner() throws -> String? { try value("account") }

    func setOwner(_ owner: String) throws { try set("account", owner) }

    func progress() throws -> SyncProgress {
        var progress = SyncProgress()
        if let phase = try value("phase").flatMap({ SyncProgress.Phase(rawValue: $0) }) { progress.phase = phase }
        progress.cursor = try value("cursor").flatMap { Cursor($0) }
        progress.destination = try value("destination").flatMap { Cursor($0) }
        progress.next = try value("next")
        return progress
    }

    func save(_ progress: SyncProgress) throws {
        try set("phase", progress.phase.rawValue)
        try set("cursor", progress.cursor?.description)
        try set("destination", progress.destination?.description)
        try set("next", progress.next)
    }

    /// Returns the server's state whose list of attachments this device has completely received.
    func attachmentsCursor() throws -> Cursor? { try value("attachments_cursor").flatMap { Cursor($0) } }

    func setAttachmentsCursor(_ cursor: Cursor?) throws { try set("attachments_cursor", cursor?.description) }

    /// Returns true if a text has ever named an attachment.
    func hasReferences() throws -> Bool { try value("has_references") != nil }

    func setHasReferences() throws { try set("has_references", "1") }

    /// Returns the revisions of the server's list of notes, by id.
    func manifest() throws -> [String: Int64] {
        var revisions: [String: Int64] = [:]
        for row in try database.run(Self.manifest) {
            revisions[try row.requiredText("id")] = try row.requiredNumber("revision")
        }
        return revisions
    }

    func addToManifest(_ id: String, _ revision: Int64) throws {
        try database.run(Self.addToManifest, .text(id), .integer(revision))
    }

    func clearManifest() throws { try database.run(Self.clearManifest) }

    private func value(_ name: String) throws -> String? {
        try database.run(Self.get, .text(name)).first?.requiredText("value")
    }

    private func set(_ name: String, _ value: String?) throws {
        if let value {
            try database.run(Self.set, .text(name), .text(value))
        } else {
            try database.run(Self.unset, .text(name))
        }
    }

    private static let get = SQLiteStatement(
        """
        -- name: meta_get
        select value from meta where name = ?1
        """)

    private static let set = SQLiteStatement(
        """
        -- name: meta_set
        insert into meta (name, value) values (?1, ?2) on conflict (name) do update set value = ?2
        """)

    private static let unset = SQLiteStatement(
        """
        -- name: meta_unset
        delete from meta where name = ?1
        """)

    private static let manifest = SQLiteStatement(
        """
        -- name: manifest_all
        select id, revision from manifest
        """)

    private static let addToManifest = SQLiteStatement(
        """
        -- name: manifest_add
        insert into manifest (id, revision) values (?1, ?2) on conflict (id) do update set revision = ?2
        """)

    private static let clearManifest = SQLiteStatement(
        """
        -- name: manifest_clear
        delete from manifest
        """)
}
