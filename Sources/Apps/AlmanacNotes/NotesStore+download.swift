internal import AlmanacClientRuntime

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Fetching of files.
extension NotesStore {
    /// Returns the URL of an attachment's file on this device, and fetches the file first if it is not here.
    ///
    /// A broken transfer resumes with the next call. The file is never changed, but it may be removed later, above
    /// ``NotesOptions/attachmentsByteLimit``: call this function again each time.
    ///
    /// - Parameter part: the file itself or its preview.
    /// - Throws: ``NotesSyncFailure/refused(status:problem:)`` with `attachment-not-here` if the file is not on the
    ///   server yet, and with `attachment-removed` if it was removed.
    public func file(
        of id: String, _ part: StoredAttachment.Part = .file
    ) async throws(NotesSyncFailure) -> URL {
        let key = "\(id) \(part)"
        let fetching = fetchingFiles[key] ?? SharedOperation()
        fetchingFiles[key] = fetching
        guard let result = await fetching.value({ await self.fetchOnce(id, part, key) }) else { throw .cancelled }
        return try result.get()
    }

    private func fetchOnce(
        _ id: String, _ part: StoredAttachment.Part, _ key: String
    ) async -> Result<URL, NotesSyncFailure> {
        defer { fetchingFiles[key] = nil }
        do {
            return .success(try await fetch(id, part))
        } catch {
            if Task.isCancelled { return .failure(.cancelled) }
            return .failure(error as? NotesSyncFailure ?? .file(NotesFileFailure(error)))
        }
    }

    private func fetch(_ id: String, _ part: StoredAttachment.Part) async throws -> URL {
        guard let files else { throw NotesSyncFailure.noServer }
        var found = try attachmentTable.find(id)
        if let found, files.has(found.fileName(of: part)) {
            files.touch(found.fileName(of: part))
            return files.url(found.fileName(of: part))
        }
        guard let server else { throw NotesSyncFailure.noServer }
        if try found == nil || found?.content(of: part) == nil && needsList() {
            try await fetchList(from: server)
            found = try attachmentTable.find(id)
        }
        guard let record = found, let content = record.content(of: part), record.state != .kept else {
            throw NotesSyncFailure.refused(status: 404, problem: "attachment-not-here")
        }
        guard record.status != .removed else {
            throw NotesSyncFailure.refused(status: 410, problem: "attachment-removed")
        }
        let name = record.fileName(of: part)
        try await fetch(part, of: id, content, to: name, files, from: server)
        removeUnusedFiles(except: name)
        return files.url(name)
    }

    /// Fetches the missing pieces of a part, and compares the hash.
    private func fetch(
        _ part: StoredAttachment.Part, of id: String, _ content: AttachmentRecord.Content, to name: String,
        _ files: AttachmentFiles, from server: NotesServer
    ) async throws {
        var offset = files.fetchedBytes(of: name)
        if offset > content.bytes {
            files.discardFetched(name)
            offset = 0
        }
        while offset < content.bytes {
            let bytes = try await piece(part, of: id, at: offset, of: content.bytes, from: server)
            try files.addFetched(bytes, to: name, at: offset)
            offset += Int64(bytes.count)
        }
        guard try await Self.content(of: name, files, isUnfinished: true) == content else {
            files.discardFetched(name)
            throw NotesSyncFailure.unexpectedResponse("the bytes of a file do not match its hash")
        }
        try files.finishFetching(name)
        announce([], attachments: [id])
    }

    private func piece(
        _ part: StoredAttachment.Part, of id: String, at offset: Int64, of total: Int64, from server: NotesServer
    ) async throws -> [UInt8] {
        let end = min(offset + Int64(AttachmentFiles.pieceBytes), total) - 1
        let query = [(name: "part", value: part.rawValue)]
        var request = try server.request("GET", "attachments/\(id)", query: query)
        request.headers.append((name: "Range", value: "bytes=\(offset)-\(end)"))
        request.byteLimit = AttachmentFiles.pieceBytes
        let response = try await server.send(request)
        let isComplete = response.status == 200 && offset == 0 && Int64(response.body.count) == total
        let isPiece =
            response.status == 206 && Int64(response.body.count) == end - offset + 1
            && response.headers["Content-Range"] == "bytes \(offset)-\(end)/\(total)"
        guard isComplete || isPiece else {
            if [200, 206].contains(response.status) {
                throw NotesSyncFailure.unexpectedResponse("a file has other bytes than requested")
            }
            throw server.failure(of: response)
        }
        return response.body
    }
}
