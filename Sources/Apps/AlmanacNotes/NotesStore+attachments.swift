internal import AlmanacClientRuntime
internal import AlmanacForms

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Pictures and other files of notes.
extension NotesStore {
    /// Copies a file into the store, and queues it for the server.
    ///
    /// The copy is on disk before the call returns. A note shows it once its text contains
    /// ``StoredAttachment/markdown``. Location, camera data, texts and thumbnails are removed from JPEG, PNG, WebP and
    /// GIF pictures; pixels, colours and orientation remain.
    ///
    /// - Parameters:
    ///   - file: the file's URL. The file is read in parts, and can be deleted afterwards.
    ///   - name: the name for users; nil for the file's own name.
    ///   - preview: a smaller picture of up to 512 KiB, of a type that ``StoredAttachment/isPicture`` names.
    ///   - size: the size of a picture; nil for the size that a JPEG, PNG, WebP or GIF file says.
    ///   - keepsMetadata: true to store pictures as they are, also damaged ones.
    /// - Throws: ``NotesFailure/pictureDamaged(_:)`` if the metadata cannot be removed.
    @discardableResult public func attach(
        _ file: URL, name: String? = nil, preview: URL? = nil, size: StoredAttachment.PixelSize? = nil,
        keepsMetadata: Bool = false
    ) async throws(NotesFailure) -> StoredAttachment {
        let id = AttachmentRecord.id(random.bytes(16))
        return try await attach(file, id: id, name: name, preview: preview, size: size, keepsMetadata: keepsMetadata)
            .attachment
    }

    /// Copies a file with a known id into the store, for an import. An attachment that the store knows is unchanged.
    ///
    /// - Parameters:
    ///   - id: the id from a reference of an exported note.
    ///   - keepsMetadata: true to store a picture as it is, like ``attach(_:name:preview:size:keepsMetadata:)``.
    /// - Returns: the attachment, and true if it is new.
    public func add(
        _ file: URL, attachment id: String, name: String? = nil, keepsMetadata: Bool = false
    ) async throws(NotesFailure) -> (attachment: StoredAttachment, isNew: Bool) {
        guard AttachmentID.isValid(id) else { throw .attachmentRefused("'\(id)' is not an id of an attachment") }
        if let known = try attachment(id) { return (known, false) }
        return try await attach(file, id: id, name: name, preview: nil, size: nil, keepsMetadata: keepsMetadata)
    }

    private func attach(
        _ source: URL, id: String, name: String?, preview: URL?, size: StoredAttachment.PixelSize?,
        keepsMetadata: Bool
    ) async throws(NotesFailure) -> (attachment: StoredAttachment, isNew: Bool) {
        let files = try attachmentFiles
        let name = Self.accepted(name ?? source.lastPathComponent)
        var copies: [(part: StoredAttachment.Part, copy: AttachmentFiles.Copy)] = []
        defer { for (_, copy) in copies { files.remove(copy.draft) } }
        let copy = try await Self.copy(source, files, keepsMetadata)
        copies.append((.file, copy))
        guard copy.content.bytes > 0 else { throw .attachmentRefused("\(source.path) is empty") }
        var record = AttachmentRecord(
            id: id, name: name, type: MediaType.of(copy.first, named: name), file: copy.content, state: .kept,
            createdAt: milliseconds)
        record.size = size ?? copy.size
        if let preview {
            let copy = try await Self.copy(preview, files, keepsMetadata)
            copies.append((.preview, copy))
            record.preview = copy.content
        }
        if let known = try add(record, copies, files) { return (stored(known), false) }
        announce([], attachments: [id])
        return (StoredAttachment(record, isHere: true), true)
    }

    /// Publishes the copies and saves the record, unless another call has added the id meanwhile.
    ///
    /// - Returns: the record of the other call.
    private func add(
        _ record: AttachmentRecord, _ copies: [(part: StoredAttachment.Part, copy: AttachmentFiles.Copy)],
        _ files: AttachmentFiles
    ) throws(NotesFailure) -> AttachmentRecord? {
        try writing {
            if let known = try attachmentTable.find(record.id) { return known }
            do {
                for (part, copy) in copies { try files.publish(copy, as: record.fileName(of: part)) }
                try attachmentTable.save(record)
            } catch {
                for (part, _) in copies { files.remove(record.fileName(of: part)) }
                throw error
            }
            return nil
        }
    }

    /// Copies a file without blocking the store.
    @concurrent private static func copy(
        _ source: URL, _ files: AttachmentFiles, _ keepsMetadata: Bool
    ) async throws(NotesFailure) -> AttachmentFiles.Copy {
        do {
            return try files.copy(source, keepsMetadata: keepsMetadata)
        } catch {
            if let failure = error as? FileFailure, failure.path == source.path {
                throw .attachmentRefused("\(failure)")
            }
            throw NotesFailure(error)
        }
    }

    /// Returns all attachments of the account that this device knows, the latest first, without the removed ones.
    public func attachments() throws(NotesFailure) -> [StoredAttachment] {
        try reading { try attachmentTable.all().map(stored).filter { $0.status != .removed } }
    }

    /// Returns the attachments that a text names and this device knows, in the order of the text.
    public func attachments(in body: String) throws(NotesFailure) -> [StoredAttachment] {
        try reading {
            try AttachmentReferences.ids(in: body).compactMap { try attachmentTable.find($0).map(stored) }
        }
    }

    /// Returns an attachment, also a removed one; nil if this device does not know it yet.
    public func attachment(_ id: String) throws(NotesFailure) -> StoredAttachment? {
        try reading { try attachmentTable.find(id).map(stored) }
    }

    /// Removes an attachment for good, on this device at once and on the server with the next sync.
    ///
    /// References to the attachment remain in texts, and show nothing any more.
    public func remove(attachment id: String) throws(NotesFailure) {
        let files = try attachmentFiles
        try writing {
            guard var record = try attachmentTable.find(id) else { throw NotesFailure.noSuchAttachment(id) }
            guard record.state != .removed else { return }
            record.state = .removing
            record.problem = nil
            try attachmentTable.save(record)
            files.remove(record.fileName(of: .file))
            files.remove(record.fileName(of: .preview))
        }
        announce([], attachments: [id])
    }

    /// Sends a file again that the server has refused, for example after other files were removed.
    public func sendAgain(attachment id: String) throws(NotesFailure) {
        try writing {
            guard var record = try attachmentTable.find(id) else { throw NotesFailure.noSuchAttachment(id) }
            guard record.state == .refused else { return }
            record.state = .kept
            record.problem = nil
            try attachmentTable.save(record)
        }
        announce([], attachments: [id])
    }

    private func stored(_ record: AttachmentRecord) -> StoredAttachment {
        StoredAttachment(record, isHere: files?.has(record.fileName(of: .file)) == true)
    }

    /// The folder of the files; a store in memory has none.
    var attachmentFiles: AttachmentFiles {
        get throws(NotesFailure) {
            guard let files else { throw .attachmentRefused("a store for previews has no files") }
            return files
        }
    }

    /// Returns a name that the server accepts: 1 to 255 bytes without control characters, `/` and `\`.
    private static func accepted(_ name: String) -> String {
        let scalars = name.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.properties.generalCategory == .control || scalar == "/" || scalar == "\\" ? "_" : scalar
        }
        var accepted = String(String.UnicodeScalarView(scalars))
        while accepted.utf8.count > 255 { accepted.removeFirst() }
        return accepted.isEmpty ? "file" : accepted
    }

    /// Removes the least recently used files that the server has too, above the limit of this device, and the files
    /// that a killed process has left.
    ///
    /// - Parameter kept: the name of a file that counts and remains.
    func removeUnusedFiles(except kept: String? = nil) {
        guard let files, let records = try? attachmentTable.all() else { return }
        let states = Dictionary(records.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first })
        let yesterday = Date(timeIntervalSinceNow: -86_400)
        var remaining = attachmentsByteLimit - (kept.flatMap { files.size(of: $0) } ?? 0)
        for file in files.list().sorted(by: { $0.used > $1.used }) where file.name != kept {
            switch states[String(file.name.prefix(26))] {
            case .kept, .refused: continue
            // A younger file without a record may belong to a call that has not ended yet.
            case nil: if file.used < yesterday { files.remove(file.name) }
            case .stored, .removing, .removed:
                remaining -= file.bytes
                if remaining < 0 { files.remove(file.name) }
            }
        }
    }
}
