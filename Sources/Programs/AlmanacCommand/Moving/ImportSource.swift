internal import AlmanacPOSIX
internal import AlmanacZip

/// What an import reads: an archive, a JSON file, a file of Markdown, or a folder of those.
enum ImportSource {
    /// Of one file, in bytes.
    static let mostBytes = 64 << 20
    /// Of all files together.
    private static let mostBytesOfAll = 256 << 20
    private static let mostFiles = 20_000

    /// Reads an export, whichever form it has.
    static func read(_ path: String) throws -> FoundNotes {
        if path != "-", (try? File.kind(path)) == .folder { return try notes(in: try folder(path), path) }
        let ending = String(decoding: path.utf8.suffix(4), as: UTF8.self).lowercased()
        if ending == ".zip" {
            do {
                let (files, odd) = try archive(path)
                return try notes(in: files, path, odd)
            } catch let failure as ZipFailure {
                throw CommandFailure(description: "\(path): \(failure)")
            }
        }
        let bytes = try InputFile.read(path)
        if MarkdownNotes.isNote(path) {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return try notes(in: [MovedFile(name, bytes)], path)
        }
        if bytes.starts(with: "PK\u{3}\u{4}".utf8) {
            throw CommandFailure(description: "\(path): this is a zip archive; give it a name that ends with .zip")
        }
        return try SimplenoteNotes.read(bytes, path == "-" ? "standard input" : path)
    }

    /// Finds the notes in the files of an export.
    ///
    /// - Parameter odd: files that could not be read.
    static func notes(in files: [MovedFile], _ place: String, _ odd: [MoveRemark] = []) throws -> FoundNotes {
        if let list = files.first(where: { isList($0.path) }) {
            var found = try SimplenoteNotes.read(list.bytes, "\(place): \(list.path)")
            found.remarks = odd + found.remarks
            return found
        }
        var found = MarkdownNotes.read(files)
        found.remarks = odd + found.remarks
        guard !found.notes.isEmpty else {
            if let first = odd.first {
                throw CommandFailure(description: "\(place): no note can be read; \(first.source): \(first.text)")
            }
            throw CommandFailure(
                description: "\(place): expected Markdown files, or Simplenote's notes.json; there is neither")
        }
        return found
    }

    private static func isList(_ path: String) -> Bool {
        path == SimplenoteNotes.list || path.hasSuffix("/" + SimplenoteNotes.list)
    }

    /// Whether a file's contents matter; of others only that they are there.
    private static func isRead(_ path: String) -> Bool {
        isList(path)
            || (MarkdownNotes.isNote(path) && !path.split(separator: "/").contains("\(MarkdownNotes.resources)"))
    }

    /// The files of an archive, and those that could not be read.
    static func archive(_ path: String) throws(ZipFailure) -> (files: [MovedFile], odd: [MoveRemark]) {
        let archive = try ZipReader(path: path)
        var files: [MovedFile] = []
        var odd = archive.unfitPaths.map { MoveRemark(source: $0, reason: .badName) }
        for (place, name) in archive.paths.enumerated() {
            do throws(ZipFailure) {
                let bytes = isRead(name) ? try archive.contents(at: place) : []
                files.append(MovedFile(name, bytes, time: archive.seconds(at: place).map { $0 * 1000 }))
            } catch {
                guard let reason = MoveRemark.Reason(error) else { throw error }
                odd.append(MoveRemark(source: name, reason: reason))
            }
        }
        return (files, odd)
    }

    /// The files of a folder; links are not followed.
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
                    let isRead = kind == .file && isRead(path)
                    let bytes = isRead ? try File.read("\(root)/\(path)", limit: min(mostBytes, rest.bytes)) : []
                    rest.bytes -= bytes.count
                    // What is no file, such as a link, is named among what is left out.
                    files.append(MovedFile(kind == .file ? path : "\(path) (no file)", bytes))
                }
            }
        } catch let failure as SystemFailure {
            throw CommandFailure(description: "\(place): \(failure)")
        }
    }
}

extension MoveRemark.Reason {
    /// Why a file in an archive is left out; nil where the archive as a whole can't be read.
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
