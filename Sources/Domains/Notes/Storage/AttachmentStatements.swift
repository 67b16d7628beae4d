internal import AlmanacAttachments
internal import AlmanacIdentity
internal import AlmanacPostgreSQL

/// The SQL of attachments. Storing and removing one advances the account's revision; declaring one does not.
enum AttachmentStatements {
    /// - Parameter preview: the expression that is true if the preview is stored.
    private static func columns(preview: String = "t.preview_is_stored") -> String {
        """
        t.id, t.hash, t.bytes, t.type, t.name, t.width, t.height, t.preview_hash, t.preview_bytes,
        \(preview) as preview_is_stored, t.revision, t.created_at, t.removed_at is not null as removed
        """
    }

    /// A part counts as stored only if its blob has a row, so that a blob that a restore lacks can be sent again.
    private static let state = Statement(
        """
        -- name: attachment_state
        select t.account_id, \(columns()),
            case $4 when 'file' then t.revision is not null else t.preview_is_stored end
                and b.hash is not null as stored,
            b.store,
            coalesce((
                select p.start + octet_length(p.content) from upload_pieces p
                where p.account_id = t.account_id and p.attachment_id = t.id and p.part = $4
                order by p.start desc limit 1), 0) as received,
            (select count(*) from upload_pieces p
                where p.account_id = t.account_id and p.attachment_id = t.id and p.part = $4) as pieces
        from accounts a
            join attachments t on t.account_id = a.id
            left join blobs b on b.hash = case $4 when 'file' then t.hash else t.preview_hash end
        where a.issuer = $1 and a.subject = $2 and t.id = $3
        """)

    /// Reads the usage. The preview of a stored file is an open upload for a day, or while its pieces wait.
    private static let usage = Statement(
        """
        -- name: attachment_usage
        select a.attachments, a.attachment_bytes, (
            select count(*) from attachments t
            where t.account_id = a.id and t.removed_at is null
                and (t.revision is null or (t.preview_hash is not null and not t.preview_is_stored and (
                    t.created_at > clock_timestamp() - interval '1 day' or exists (
                        select from upload_pieces p where p.account_id = a.id and p.attachment_id = t.id))))) as uploads
        from accounts a where a.issuer = $1 and a.subject = $2
        """)

    private static let declare = Statement(
        """
        -- name: attachment_declare
        with account as (
            update accounts set
                attachments = attachments + 1, attachment_bytes = attachment_bytes + $4 + coalesce($10, 0)
            where id = $1
        )
        insert into attachments
            (account_id, id, hash, bytes, type, name, width, height, preview_hash, preview_bytes)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        """)

    private static let append = Statement(
        """
        -- name: attachment_append
        insert into upload_pieces (account_id, attachment_id, part, start, content) values ($1, $2, $3, $4, $5)
        on conflict do nothing
        """)

    private static let piece = Statement(
        """
        -- name: attachment_piece
        select content from upload_pieces where account_id = $1 and attachment_id = $2 and part = $3 and start = $4
        """)

    private static let discard = Statement(
        """
        -- name: attachment_discard
        delete from upload_pieces where account_id = $1 and attachment_id = $2 and part = $3
        """)

    private static let storeBlob = """
        blob as (
            insert into blobs (hash, bytes, store) values ($4, $5, $6)
            on conflict (hash) do update set store = excluded.store
        ), pieces as (
            delete from upload_pieces where account_id = $1 and attachment_id = $2 and part = $3
        )
        """

    private static let store = Statement(
        """
        -- name: attachment_store
        with account as (
            update accounts set \(WriteStatements.nextRevision) where id = $1 returning revision
        ), \(storeBlob)
        update attachments t set revision = a.revision, preview_is_stored = t.preview_is_stored or $3 = 'preview'
        from account a where t.account_id = $1 and t.id = $2
        returning t.revision
        """)

    /// Stores a preview before its file, which changes nothing that clients see.
    private static let storeEarlyPreview = Statement(
        """
        -- name: attachment_store_early_preview
        with \(storeBlob)
        update attachments t set preview_is_stored = true where t.account_id = $1 and t.id = $2
        returning t.revision
        """)

    private static let remove = Statement(
        """
        -- name: attachment_remove
        with gone as (
            select bytes + coalesce(preview_bytes, 0) as bytes from attachments where account_id = $1 and id = $2
        ), account as (
            update accounts set attachments = attachments - 1,
                attachment_bytes = attachment_bytes - (select bytes from gone), \(WriteStatements.nextRevision)
            where id = $1 returning revision
        ), pieces as (
            delete from upload_pieces where account_id = $1 and attachment_id = $2
        )
        update attachments t set
            removed_at = date_trunc('milliseconds', clock_timestamp()), revision = a.revision, name = '', type = ''
        from account a where t.account_id = $1 and t.id = $2
        returning t.revision
        """)

    /// Leaves out files and previews that a restore lacks, so that devices send them again.
    private static let changes = Statement(
        """
        -- name: attachment_changes
        select \(columns(preview: "exists (select from blobs b where b.hash = t.preview_hash) and t.preview_is_stored"))
        from attachments t
        where t.account_id = $1 and t.revision > $2
            and (t.removed_at is not null or exists (select from blobs b where b.hash = t.hash))
        order by t.revision limit $3
        """)

    private static let erasePieces = Statement(
        """
        -- name: attachment_erase_pieces
        delete from upload_pieces where account_id = $1
        """)

    /// Reads one part's state: no row if the user has no attachment of that id.
    static func state(of user: VerifiedUser, id: String, part: AttachmentPart) -> Call {
        Call(state, .text(user.issuer), .text(user.subject), .text(id), .text(part.rawValue))
    }

    /// Reads what the account's attachments use of the limits.
    static func usage(of user: VerifiedUser) -> Call { Call(usage, .text(user.issuer), .text(user.subject)) }

    /// Declares an attachment, and reserves its bytes. The account must be locked.
    static func declare(_ declaration: AttachmentDeclaration, id: String, in account: Account) -> Call {
        Call(
            declare, .bigint(account.id), .text(id), .bytes(declaration.file.hash.bytes),
            .bigint(declaration.file.count), .text(declaration.type), .text(declaration.name),
            .integer(declaration.width.map { Int32($0) }), .integer(declaration.height.map { Int32($0) }),
            .bytes(declaration.preview?.hash.bytes), .integer(declaration.preview.map { Int32($0.count) }))
    }

    /// Stores a piece, unless another piece has arrived at its offset.
    static func append(_ piece: [UInt8], to state: AttachmentPartState) -> Call {
        Call(append, with: key(of: state) + [.bigint(state.received), .bytes(piece)])
    }

    static func piece(of state: AttachmentPartState, at offset: Int64) -> Call {
        Call(piece, with: key(of: state) + [.bigint(offset)])
    }

    static func discardPieces(of state: AttachmentPartState) -> Call { Call(discard, with: key(of: state)) }

    /// Records that a store has the bytes, and deletes the pieces. The account and the blob must be locked.
    static func store(_ state: AttachmentPartState, in name: String) -> Call {
        let isEarly = state.part == .preview && state.attachment.revision == nil
        return Call(
            isEarly ? storeEarlyPreview : store,
            with: key(of: state) + [
                .bytes(state.declared.hash.bytes), .bigint(state.declared.count), .text(name),
            ])
    }

    private static func key(of state: AttachmentPartState) -> [Parameter] {
        [.bigint(state.accountID), .text(state.attachment.id), .text(state.part.rawValue)]
    }

    /// Removes an attachment for good. The account must be locked. The blobs stay until no row names them.
    static func remove(_ id: String, accountID: Int64) -> Call { Call(remove, .bigint(accountID), .text(id)) }

    /// Reads the stored and removed attachments after a revision, in the order of their revisions.
    static func changes(of account: Account, since revision: Int64, limit: Int) -> Call {
        Call(changes, .bigint(account.id), .bigint(revision), .bigint(Int64(limit)))
    }

    static func erasePieces(of account: Account) -> Call { Call(erasePieces, .bigint(account.id)) }
}

extension Attachment {
    init(_ row: Row) throws(PostgresFailure) {
        id = try row.text("id")
        var preview: DeclaredBytes?
        if let hash = try BlobHash.optional(row, "preview_hash") {
            preview = DeclaredBytes(count: try row.bigint("preview_bytes"), hash: hash)
        }
        guard let hash = try BlobHash.optional(row, "hash") else { throw .unexpectedResult("the hash is null") }
        declaration = AttachmentDeclaration(
            file: DeclaredBytes(count: try row.bigint("bytes"), hash: hash), type: try row.text("type"),
            name: try row.text("name"), width: try row.optionalBigint("width").map { Int($0) },
            height: try row.optionalBigint("height").map { Int($0) }, preview: preview)
        hasStoredPreview = try row.boolean("preview_is_stored")
        revision = try row.optionalBigint("revision")
        createdAt = try row.timestamp("created_at")
        isRemoved = try row.boolean("removed")
    }
}

extension BlobHash {
    fileprivate static func optional(_ row: Row, _ column: String) throws(PostgresFailure) -> BlobHash? {
        try row.optionalBytes(column).flatMap { BlobHash(bytes: $0) }
    }
}
