internal import AlmanacClientRuntime
internal import AlmanacRevisions
internal import AlmanacSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Sending of files and removals, and the server's list of attachments.
extension NotesStore {
    /// Sends files and removals, and fetches the list of attachments. Runs beside the sync of notes, so that no text
    /// waits for a file.
    ///
    /// - Returns: false if there was nothing to do.
    @discardableResult func syncAttachments() async throws(NotesSyncFailure) -> Bool {
        guard let result = await sendingFiles.value({ await self.syncAttachmentsOnce() }) else { throw .cancelled }
        return try result.get()
    }

    private func syncAttachmentsOnce() async -> Result<Bool, NotesSyncFailure> {
        guard let server else { return .failure(.noServer) }
        do {
            var hasWorked = false
            while let record = try attachmentTable.nextPending() {
                hasWorked = true
                if record.state == .removing {
                    try await remove(record, from: server)
                } else {
                    try await send(record, to: server)
                }
            }
            if hasWorked { removeUnusedFiles() }
            let hasNews = try needsList()
            if hasNews { try await fetchList(from: server) }
            return .success(hasWorked || hasNews)
        } catch let failure as NotesSyncFailure {
            return .failure(failure)
        } catch {
            return .failure(.file(NotesFileFailure(error)))
        }
    }

    private func remove(_ record: AttachmentRecord, from server: NotesServer) async throws {
        let response = try await server.send(try server.request("DELETE", "attachments/\(record.id)"))
        guard [204, 404, 410].contains(response.status) else { throw server.failure(of: response) }
        try change(record.id) { $0.state = .removed }
    }

    /// The limits that end an upload whose answers contradict each other.
    private static let maxDeclarations = 4
    private static let maxOffsetCorrections = 10

    /// Sends a file and its preview, from the offset that the server has.
    private func send(_ record: AttachmentRecord, to server: NotesServer) async throws {
        let declaration = Array(try JSONEncoder().encode(AttachmentDeclaration(record)))
        for _ in 0..<Self.maxDeclarations {
            let response = try await server.send(
                try server.request("PUT", "attachments/\(record.id)", json: declaration))
            guard [200, 201].contains(response.status) else { return try settle(record, response, server) }
            let declared: DeclaredUpload = try JSONDecoder().response(response.body, "the upload")
            if try await sendParts(of: record, from: declared.offset, to: server) { return }
        }
        throw NotesSyncFailure.unexpectedResponse("the server forgets an upload again and again")
    }

    /// Sends the parts that the server lacks. Returns false if the upload must be declared again.
    private func sendParts(of record: AttachmentRecord, from offset: Int64, to server: NotesServer) async throws -> Bool
    {
        if let preview = record.preview {
            guard try await send(.preview, preview, of: record, from: 0, to: server) else { return false }
        }
        guard try await send(.file, record.file, of: record, from: offset, to: server) else { return false }
        try change(record.id) { if $0.state == .kept { $0.state = .stored } }
        return true
    }

    /// Sends a part in pieces. Returns false if the upload must be declared again.
    private func send(
        _ part: StoredAttachment.Part, _ content: AttachmentRecord.Content, of record: AttachmentRecord,
        from start: Int64, to server: NotesServer
    ) async throws -> Bool {
        var (offset, corrections) = (start, 0)
        while offset < content.bytes {
            // The user may have removed the attachment meanwhile.
            guard try attachmentTable.find(record.id)?.state == .kept else { return true }
            let (request, count) = try piece(part, of: record, at: offset, to: server)
            guard count > 0 else {
                try refuse(record, Self.damaged)
                return true
            }
            let response = try await server.send(request)
            let known = response.headers["Upload-Offset"].flatMap { Int64($0) }
            switch response.status {
            case 204:
                let next = known ?? offset + Int64(count)
                guard next > offset else { throw NotesSyncFailure.unexpectedResponse("an upload does not advance") }
                offset = next
                if part == .file { try change(record.id) { $0.sentBytes = offset } }
            case 409 where ServerProblem(response.body)?.shortType == "wrong-offset":
                corrections += 1
                guard let known, corrections <= Self.maxOffsetCorrections else {
                    throw NotesSyncFailure.unexpectedResponse("an upload has no offset")
                }
                offset = known
            case 404: return false
            case 422 where ServerProblem(response.body)?.shortType == "hash-mismatch":
                if try await isIntact(record.fileName(of: part), content) { return false }
                try refuse(record, Self.damaged)
                return true
            default:
                try settle(record, response, server)
                return true
            }
        }
        return true
    }

    /// Returns the request for the next piece of a part, and the number of its bytes.
    private func piece(
        _ part: StoredAttachment.Part, of record: AttachmentRecord, at offset: Int64, to server: NotesServer
    ) throws -> (TransportRequest, count: Int) {
        let query = [(name: "part", value: part.rawValue)]
        var request = try server.request("PATCH", "attachments/\(record.id)", query: query)
        request.headers = [
            (name: "Content-Type", value: "application/octet-stream"), (name: "Upload-Offset", value: "\(offset)"),
        ]
        let files = try attachmentFiles
        // A missing file is damaged too.
        let bytes =
            files.has(record.fileName(of: part)) ? try files.piece(of: record.fileName(of: part), at: offset) : []
        request.body = bytes
        return (request, bytes.count)
    }

    private static let damaged = StoredNote.Problem(
        type: "file-damaged", detail: "The copy of this file on this device is damaged; attach the file again.")

    private func isIntact(_ name: String, _ content: AttachmentRecord.Content) async throws -> Bool {
        let files = try attachmentFiles
        return try await Self.content(of: name, files) == content
    }

    /// Reads a file without blocking the store.
    @concurrent static func content(
        of name: String, _ files: AttachmentFiles, isUnfinished: Bool = false
    ) async throws -> AttachmentRecord.Content { try files.content(of: name, isUnfinished: isUnfinished) }

    /// Records the end of an upload that the server rejects. Throws if a later attempt may succeed.
    private func settle(
        _ record: AttachmentRecord, _ response: TransportResponse<[UInt8]>, _ server: NotesServer
    ) throws {
        guard let problem = ServerProblem(response.body) else { throw server.failure(of: response) }
        switch response.status {
        case 410:
            try change(record.id) { $0.state = .removed }
            try attachmentFiles.remove(record.fileName(of: .file))
            try attachmentFiles.remove(record.fileName(of: .preview))
        case 400, 409, 413, 422:
            try refuse(record, StoredNote.Problem(type: problem.shortType, detail: problem.detail ?? ""))
        default: throw server.failure(of: response)
        }
    }

    private func refuse(_ record: AttachmentRecord, _ problem: StoredNote.Problem) throws {
        try change(record.id) { record in
            guard record.state == .kept else { return }
            (record.state, record.problem, record.sentBytes) = (.refused, problem, 0)
        }
    }

    /// Changes the newest state of an attachment.
    private func change(_ id: String, _ change: (inout AttachmentRecord) -> Void) throws {
        let isChanged = try database.transaction {
            guard let before = try attachmentTable.find(id) else { return false }
            var record = before
            change(&record)
            guard record != before else { return false }
            try attachmentTable.save(record)
            return true
        }
        if isChanged { announce([], attachments: [id]) }
    }
}

// The server's list of attachments.
extension NotesStore {
    /// Returns true if the account has changed since the last list, and any text names an attachment.
    func needsList() throws -> Bool {
        guard try syncTable.hasReferences() || !attachmentTable.isEmpty() else { return false }
        guard let notes = try syncTable.progress().cursor else { return false }
        guard let known = try syncTable.attachmentsCursor() else { return true }
        return known.lineage != notes.lineage || known.revision < notes.revision
    }

    func fetchList(from server: NotesServer) async throws {
        var since = try syncTable.attachmentsCursor()
        var listed: Set<String>? = since == nil ? [] : nil
        var query = since.map { [(name: "since", value: $0.description)] } ?? []
        while true {
            let response = try await server.send(try server.request("GET", "attachments", query: query))
            if response.status == 410, since != nil {
                // The server's history was lost or replaced.
                (since, listed, query) = (nil, [], [])
                try syncTable.setAttachmentsCursor(nil)
                continue
            }
            // An older server has no attachments.
            if response.status == 404 { return }
            guard response.status == 200 else { throw server.failure(of: response) }
            let page = try AttachmentPage(response.body)
            let cursor = try page.place()
            listed?.formUnion((page.attachments ?? []).map(\.id))
            try receive(page)
            if let next = page.next {
                query = [(name: "next", value: next)]
                continue
            }
            if let listed { try sendMissing(listed) }
            try syncTable.setAttachmentsCursor(cursor)
            return
        }
    }

    private func receive(_ page: AttachmentPage) throws {
        var changed: Set<String> = []
        try database.transaction {
            for entry in page.attachments ?? [] {
                let known = try attachmentTable.find(entry.id)
                // An upload of this device ends by itself, and a removed id is never used again.
                guard known?.state ?? .stored == .stored || known?.state == .refused, known != entry.record else {
                    continue
                }
                try attachmentTable.save(entry.record)
                changed.insert(entry.id)
            }
            for id in page.removed ?? [] {
                var record =
                    try attachmentTable.find(id)
                    ?? AttachmentRecord(
                        id: id, name: "", type: "", file: AttachmentRecord.Content(bytes: 0, sha256: ""),
                        state: .stored,
                        createdAt: milliseconds)
                guard record.state != .removed else { continue }
                record.state = .removed
                try attachmentTable.save(record)
                changed.insert(id)
                files?.remove(record.fileName(of: .file))
                files?.remove(record.fileName(of: .preview))
            }
        }
        announce([], attachments: changed)
    }

    /// Sends the files again that a complete list lacks, because the server's backup is older, and forgets the others.
    private func sendMissing(_ listed: Set<String>) throws {
        var changed: Set<String> = []
        try database.transaction {
            for var record in try attachmentTable.all() where record.state == .stored && !listed.contains(record.id) {
                if files?.has(record.fileName(of: .file)) == true {
                    (record.state, record.sentBytes) = (.kept, 0)
                    if record.preview != nil, files?.has(record.fileName(of: .preview)) != true { record.preview = nil }
                    try attachmentTable.save(record)
                } else {
                    try attachmentTable.remove(record.id)
                }
                changed.insert(record.id)
            }
        }
        announce([], attachments: changed)
    }
}
