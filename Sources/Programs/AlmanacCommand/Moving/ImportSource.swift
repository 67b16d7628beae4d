internal import AlmanacPOSIX
internal import AlmanacZip

/// Reads the files of an export: an archive, a folder, or a single file.
enum ImportSource {
    /// The limit on one file, in bytes.
    private static let mostBytes = 64 << 20
    /// The limit on all files together, in bytes.
    private static let mostBytesOfAll = 256 << 20
    private static let mostFiles = 20_000

    static func read(_ path: String) throws -> FoundNotes {
        if (try? File.kind(path)) == .folder { return try notes(in: try folder(path), path) }
        if String(decoding: path.utf8.suffix(4), as: UTF8.self).lowercased() == ".zip" {
            let found: (files: [MovedFile], odd: [MoveRemark])
            do throws(ZipFailure) { found = try archive(path) } catch {
                throw CommandFailure(description: "\(path): \(error)")
            }
            return try notes(in: found.files, path, found.odd)
        }
        guard MarkdownNotes.isNote(path) else {
            throw CommandFailure(description: "\(path): expected a folder, or a name that ends with .zip or .md")
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return try notes(in: [MovedFile(path: name, bytes: try InputFile.read(path))], path)
    }

    /// Finds the notes in the files of an export.
    ///
    /// - Parameter odd: the remarks on files that could not be read.
    private static func notes(
        in files: [MovedFile], _ place: String, _ odd: [MoveRemark] = []
    ) throws -> FoundNotes {
        var found = MarkdownNotes.read(files)
        found.remarks = odd + found.remarks
        guard !found.notes.isEmpty else {
            let first = found.remarks.first.map { "; \($0.source): \($0.text)" } ?? ""
            throw CommandFailure(description: "\(place): expected notes of 'almanac note export', found none\(first)")
        }
        return found
    }

    /// Returns the files of an archive, and remarks on those that could not be read.
    static func archive(_ path: String) throws(ZipFailure) -> (files: [MovedFile], odd: [MoveRemark]) {
        let archive = try ZipReader(path: path)
        var files: [MovedFile] = []
        var odd = archive.escapingPaths.map { MoveRemark(source: $0, reason: .badName) }
        for (place, name) in archive.paths.enumerated() {
            do throws(ZipFailure) {
                let bytes = MarkdownNotes.isNote(name) ? try archive.contents(at: place) : []
                files.append(MovedFile(path: name, bytes: bytes))
            } catch {
                guard let reason = MoveRemark.Reason(error) else { throw error }
                odd.append(MoveRemark(source: name, reason: reason))
            }
        }
        return (files, odd)
    }

    /// Returns the files of a folder. Links are not followed.
    private static func folder(_ root: String) throws -> [MovedFile] {
        var files: [MovedFile] = []
        var rest = MostOf(files: mostFiles, bytes: mostBytesOfAll)
        try add(root, "", &rest, &files)
        return files
    }

    private struct MostOf {
        var files: Int
        var bytes: Int
    }

    private static func add(
        _ root: String, _ base: String, _ rest: inout MostOf, _ files: inout [MovedFile]
    ) throws {
        let place = base.isEmpty ? root : "\(root)/\(base)"
        do {
            for name in try File.names(inFolder: place) {
                let path = base.isEmpty ? name : "\(base)/\(name)"
                let kind = try File.kind("\(root)/\(path)", followsLinks: false)
                rest.files -= 1
                guard rest.files >= 0 else {
                    throw CommandFailure(description: "\(root): there are more than \(mostFiles) files in it")
                }
                if kind == .folder {
                    try add(root, path, &rest, &files)
                } else {
                    let isRead = kind == .file && MarkdownNotes.isNote(path)
                    let bytes = isRead ? try File.read("\(root)/\(path)", limit: min(mostBytes, rest.bytes)) : []
                    rest.bytes -= bytes.count
                    // The entry is no regular file, so it is listed among the omitted files.
                    files.append(MovedFile(path: kind == .file ? path : "\(path) (no file)", bytes: bytes))
                }
            }
        } catch let failure as SystemFailure {
            throw CommandFailure(description: "\(place): \(failure)")
        }
    }
}

extension MoveRemark.Reason {
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
