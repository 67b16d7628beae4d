internal import AlmanacClientRuntime

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
#if canImport(Glibc)
    internal import Glibc
#endif

/// The folder with the bytes of attachments, beside the file of notes.
///
/// No call reads more than a piece into memory.
struct AttachmentFiles: Sendable {
    let folder: URL
    /// True if a file survives a power loss once its call has returned.
    let isDurable: Bool
    /// True if backups exclude the folder, on Apple platforms only.
    let isExcludedFromBackups: Bool

    /// The limit on the bytes that are read, sent or fetched at once.
    static let pieceBytes = 1 << 20

    private static let unfinished = ".part"
    private static let draftPrefix = "draft-"

    /// A copied file, which has a name of its own until it is published.
    struct Copy {
        let draft: String
        let content: AttachmentRecord.Content
        /// The first bytes.
        let first: [UInt8]
        /// The size of a picture, if the file says it.
        let size: StoredAttachment.PixelSize?
    }

    /// Copies a file into the folder, a picture without location and camera data. The caller publishes the copy, and
    /// removes its draft.
    ///
    /// - Parameter keepsMetadata: true to copy a picture as it is.
    func copy(_ source: URL, keepsMetadata: Bool) throws -> Copy {
        let first = try OpenFile(reading: source.path).read(at: 0, upTo: 16)
        let format = PictureFormats.format(of: first)
        try makeFolder()
        let draft = Self.draftPrefix + UUID().uuidString
        do {
            var output = try DraftFile(path(draft))
            if let format, !keepsMetadata {
                guard try format.clean(FileWindow(source.path), to: &output) else {
                    throw NotesFailure.pictureDamaged(source)
                }
            } else {
                try Self.copy(source, to: &output)
            }
            let content = try output.finish()
            let size = try format.flatMap { try PictureFormats.shownSize($0.size(of: FileWindow(path(draft)))) }
            if isDurable { try output.file.sync() }
            return Copy(draft: draft, content: content, first: first, size: size)
        } catch {
            remove(draft)
            throw error
        }
    }

    /// Gives a copied file its name.
    func publish(_ copy: Copy, as name: String) throws {
        try move(copy.draft, to: name)
        discardFetched(name)
    }

    private static func copy(_ source: URL, to output: inout DraftFile) throws {
        let input = try OpenFile(reading: source.path)
        while true {
            let piece = try input.read(at: output.count, upTo: pieceBytes / 4)
            if piece.isEmpty { return }
            try output.put(piece)
        }
    }

    /// Returns the bytes of a file from an offset on, at most a piece.
    func piece(of name: String, at offset: Int64) throws -> [UInt8] {
        try OpenFile(reading: path(name)).read(at: offset, upTo: Self.pieceBytes)
    }

    /// Returns the length and hash of a file.
    ///
    /// - Parameter isUnfinished: true for a file that is being fetched.
    func content(of name: String, isUnfinished: Bool = false) throws -> AttachmentRecord.Content {
        let input = try OpenFile(reading: path(name) + (isUnfinished ? Self.unfinished : ""))
        var hash = SHA2()
        var offset: Int64 = 0
        while true {
            let piece = try input.read(at: offset, upTo: Self.pieceBytes)
            if piece.isEmpty { return AttachmentRecord.Content(bytes: offset, sha256: hash.digest.hexadecimal) }
            hash.add(piece)
            offset += Int64(piece.count)
        }
    }

    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// Returns the number of fetched bytes of a file that is being fetched.
    func fetchedBytes(of name: String) -> Int64 { size(of: name + Self.unfinished) ?? 0 }

    /// Returns the length of a file; nil if there is none.
    func size(of name: String) -> Int64? {
        (try? FileManager.default.attributesOfItem(atPath: path(name))[.size] as? Int).map { Int64($0) }
    }

    /// Writes a piece of a file that is being fetched. Two processes may fetch the same file, because they write the
    /// same bytes at the same offsets.
    func addFetched(_ piece: [UInt8], to name: String, at offset: Int64) throws {
        try makeFolder()
        try OpenFile(writing: path(name) + Self.unfinished).write(piece, at: offset)
    }

    /// Gives a completely fetched file its name.
    func finishFetching(_ name: String) throws {
        do {
            if isDurable { try OpenFile(reading: path(name) + Self.unfinished).sync() }
            try move(name + Self.unfinished, to: name)
        } catch {
            // Another process may have been faster.
            guard has(name) else { throw error }
        }
    }

    func discardFetched(_ name: String) { unsafe unlink(path(name) + Self.unfinished) }

    func remove(_ name: String) {
        unsafe unlink(path(name))
        discardFetched(name)
    }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Records the use of a file, so that it is removed later than others.
    func touch(_ name: String) {
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path(name))
    }

    /// Returns the names, lengths and times of the last use of all files.
    func list() -> [(name: String, bytes: Int64, used: Date)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.compactMap { name in
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path(name)),
                let bytes = attributes[.size] as? Int, let used = attributes[.modificationDate] as? Date
            else { return nil }
            return (name, Int64(bytes), used)
        }
    }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        #if canImport(Darwin)
            // Untested on Linux.
            var (url, values) = (folder, URLResourceValues())
            values.isExcludedFromBackup = isExcludedFromBackups
            try? url.setResourceValues(values)
        #endif
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func move(_ old: String, to name: String) throws {
        guard unsafe rename(path(old), path(name)) == 0 else { throw OpenFile.failure(path(name)) }
        // The file's name must survive a power loss too.
        if isDurable { try? OpenFile(reading: folder.path).sync() }
    }
}
