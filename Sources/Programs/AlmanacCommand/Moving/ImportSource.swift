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
        if ending == ".zip" { return try notes(in: try archive(path), path) }
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
    static func notes(in files: [MovedFile], _ place: String) throws -> FoundNotes {
        if let list = files.first(where: { isList($0.path) }) {
            return try SimplenoteNotes.read(list.bytes, "\(place): \(list.path)")
        }
        let found = MarkdownNotes.read(files)
        guard !found.notes.isEmpty else {
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

    private static func archive(_ path: String) throws -> [MovedFile] {
        do {
            let archive = try ZipReader(path: path)
            return try archive.paths.enumerated().map { place, name in
                MovedFile(name, isRead(name) ? try archive.contents(at: place) : [])
            }
        } catch let failure as ZipFailure {
            throw CommandFailure(description: "\(path): \(failure)")
        }
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
