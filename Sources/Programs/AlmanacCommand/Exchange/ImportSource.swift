internal import AlmanacPOSIX
internal import AlmanacZip

/// Reads the files of an export: an archive, a folder, or a single file.
enum ImportSource {
    /// The limit on one file, in bytes.
    private static let maxFileBytes = 64 << 20
    /// The limit on all files together, in bytes.
    private static let maxTotalBytes = 256 << 20
    private static let maxFiles = 20_000

    static func read(_ path: String) throws -> FoundNotes {
        if (try? File.kind(path)) == .folder { return try notes(in: try folder(path), path) }
        if String(decoding: path.utf8.suffix(4), as: UTF8.self).lowercased() == ".zip" {
            let found: (files: [ExchangedFile], odd: [ImportRemark])
            do throws(ZipFailure) { found = try archive(path) } catch {
                throw CommandFailure(description: "\(path): \(error)")
            }
            return try notes(in: found.files, path, found.odd)
        }
        guard MarkdownNotes.isNote(path) else {
            throw CommandFailure(description: "\(path): expected a folder, or a name that ends with .zip or .md")
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return try notes(in: [ExchangedFile(path: name, bytes: try InputFile.read(path))], path)
    }

    /// Finds the notes in the files of an export.
    ///
    /// - Parameter odd: the remarks on files that could not be read.
    private static func notes(
        in files: [ExchangedFile], _ place: String, _ odd: [ImportRemark] = []
    ) throws -> FoundNotes {
        var found = MarkdownNotes.read(files)
        found.remarks = odd + found.remarks
        guard !found.notes.isEmpty else {
            let first = found.remarks.first.map { "; \($0.source): \($0.text)" } ?? ""
            throw CommandFailure(
                description: "\(place): no notes found; expected an export of 'almanac note export'\(first)")
        }
        return found
    }

    /// The limits on reading attachments from an archive; the server's limit on one file is at most 100 MiB.
    private static let attachmentLimits = {
        var limits = ZipReader.Limits()
        (limits.maxFileBytes, limits.maxTotalBytes) = (100 << 20, .max)
        return limits
    }()

    /// Reads the attached files of an export, one after the other.
    ///
    /// - Parameter add: receives a file of `found.files`, and the path of its bytes.
    /// - Returns: remarks on files that can't be read.
    static func readFiles(
        of found: FoundNotes, in path: String, _ add: (AttachedFiles.Reference, _ source: String, String) throws -> Void
    ) throws -> [ImportRemark] {
        if found.files.isEmpty { return [] }
        if (try? File.kind(path)) == .folder {
            for (reference, source) in found.files { try add(reference, source, "\(path)/\(source)") }
            return []
        }
        let archive = try ZipReader(path: path, limits: attachmentLimits)
        let places = Dictionary(zip(archive.paths, archive.paths.indices), uniquingKeysWith: { first, _ in first })
        var remarks: [ImportRemark] = []
        for (reference, source) in found.files {
            guard let place = places[source] else { continue }
            let bytes: [UInt8]
            do throws(ZipFailure) {
                bytes = try archive.contents(at: place)
            } catch {
                guard let reason = ImportRemark.Reason(error) else { throw error }
                remarks.append(ImportRemark(source: source, reason: reason, detail: reason == .tooLarge ? "100" : ""))
                continue
            }
            let (file, draft) = try DraftFile.named("\(Process.variable("TMPDIR") ?? "/tmp")/almanac-")
            defer { File.remove(draft) }
            try file.write(bytes)
            try add(reference, source, draft)
        }
        return remarks
    }

    /// Returns the files of an archive, and remarks on those that could not be read.
    static func archive(_ path: String) throws(ZipFailure) -> (files: [ExchangedFile], odd: [ImportRemark]) {
        let archive = try ZipReader(path: path)
        var files: [ExchangedFile] = []
        var odd = archive.escapingPaths.map { ImportRemark(source: $0, reason: .badName) }
        for (place, name) in archive.paths.enumerated() {
            do throws(ZipFailure) {
                let bytes = MarkdownNotes.isNote(name) ? try archive.contents(at: place) : []
                files.append(ExchangedFile(path: name, bytes: bytes))
            } catch {
                guard let reason = ImportRemark.Reason(error) else { throw error }
                odd.append(ImportRemark(source: name, reason: reason))
            }
        }
        return (files, odd)
    }

    /// Returns the files of a folder. Links are not followed.
    private static func folder(_ root: String) throws -> [ExchangedFile] {
        var files: [ExchangedFile] = []
        var remaining = RemainingLimits(files: maxFiles, bytes: maxTotalBytes)
        try add(root, "", &remaining, &files)
        return files
    }

    private struct RemainingLimits {
        var files: Int
        var bytes: Int
    }

    private static func add(
        _ root: String, _ base: String, _ remaining: inout RemainingLimits, _ files: inout [ExchangedFile]
    ) throws {
        let place = base.isEmpty ? root : "\(root)/\(base)"
        do {
            for name in try File.names(inFolder: place) {
                let path = base.isEmpty ? name : "\(base)/\(name)"
                let kind = try File.kind("\(root)/\(path)", followsLinks: false)
                remaining.files -= 1
                guard remaining.files >= 0 else {
                    throw CommandFailure(description: "\(root): the folder has more than \(maxFiles) files")
                }
                if kind == .folder {
                    try add(root, path, &remaining, &files)
                } else {
                    let isRead = kind == .file && MarkdownNotes.isNote(path)
                    let bytes =
                        isRead ? try File.read("\(root)/\(path)", limit: min(maxFileBytes, remaining.bytes)) : []
                    remaining.bytes -= bytes.count
                    // The entry is no regular file, so it is listed among the omitted files.
                    files.append(ExchangedFile(path: kind == .file ? path : "\(path) (no file)", bytes: bytes))
                }
            }
        } catch let failure as SystemFailure {
            throw CommandFailure(description: "\(place): \(failure)")
        }
    }
}

extension ImportRemark.Reason {
    /// The reason why a file of an archive is omitted; nil if the whole archive can't be read.
    fileprivate init?(_ failure: ZipFailure) {
        switch failure {
        case .damaged(_?): self = .damaged
        case .tooLarge(_?): self = .tooLarge
        case .encrypted: self = .encrypted
        case .unknownMethod: self = .unknownMethod
        case .damaged(nil), .tooLarge(nil), .system: return nil
        }
    }
}
