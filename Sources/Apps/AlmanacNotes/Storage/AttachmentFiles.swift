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

    /// Copies a file into the folder.
    ///
    /// - Returns: the length and hash, and the first bytes.
    func copy(_ source: URL, to name: String) throws -> (content: AttachmentRecord.Content, first: [UInt8]) {
        let input = try OpenFile(reading: source.path)
        try makeFolder()
        let draft = path(name) + Self.unfinished
        do {
            let output = try OpenFile(writing: draft)
            var hash = SHA2()
            var (offset, first) = (Int64(0), [UInt8]())
            while true {
                let piece = try input.read(at: offset, upTo: Self.pieceBytes)
                if piece.isEmpty { break }
                if offset == 0 { first = Array(piece.prefix(16)) }
                hash.add(piece)
                try output.write(piece, at: offset)
                offset += Int64(piece.count)
            }
            try publish(output, name)
            return (AttachmentRecord.Content(bytes: offset, sha256: hash.digest.hexadecimal), first)
        } catch {
            unsafe unlink(draft)
            throw error
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
            try publish(try OpenFile(writing: path(name) + Self.unfinished), name)
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

    private func publish(_ file: borrowing OpenFile, _ name: String) throws {
        if isDurable { try file.sync() }
        guard unsafe rename(path(name) + Self.unfinished, path(name)) == 0 else { throw OpenFile.failure(path(name)) }
        // The file's name must survive a power loss too.
        if isDurable { try? OpenFile(reading: folder.path).sync() }
    }
}

/// An open file, closed with its owner.
private struct OpenFile: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// Opens a file for reading.
    init(reading path: String) throws(FileFailure) {
        // Without O_NONBLOCK, opening a pipe could block forever.
        try self.init(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }

    /// Opens a file for writing, and creates it for its owner alone if it is missing.
    init(writing path: String) throws(FileFailure) { try self.init(path, O_WRONLY | O_CREAT | O_CLOEXEC) }

    private init(_ path: String, _ flags: Int32) throws(FileFailure) {
        descriptor = unsafe open(path, flags, 0o600)
        self.path = path
        if descriptor < 0 { throw Self.failure(path) }
    }

    deinit { _ = close(descriptor) }

    /// Reads bytes at an offset. Returns fewer only at the end of the file.
    func read(at offset: Int64, upTo limit: Int) throws(FileFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let part = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress! + count, limit - count, off_t(offset) + off_t(count))
            }
            if part < 0 {
                if errno == EINTR { continue }
                throw Self.failure(path)
            }
            if part == 0 { break }
            count += part
        }
        bytes.removeLast(limit - count)
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(FileFailure) {
        var count = 0
        while count < bytes.count {
            let part = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    descriptor, buffer.baseAddress! + count, bytes.count - count, off_t(offset) + off_t(count))
            }
            if part < 0 {
                if errno == EINTR { continue }
                throw Self.failure(path)
            }
            count += part
        }
    }

    func sync() throws(FileFailure) { guard fsync(descriptor) == 0 else { throw Self.failure(path) } }

    /// Returns the failure of the last system call.
    static func failure(_ path: String) -> FileFailure { FileFailure(path: path, code: errno) }
}

/// A failure of a system call on a file.
struct FileFailure: Error, CustomStringConvertible {
    let path: String
    /// The `errno`.
    let code: Int32

    // Safe because strerror returns a null-terminated string.
    var description: String { "\(path): \(unsafe String(cString: strerror(code)))" }
}

extension NotesFileFailure {
    init(_ failure: FileFailure) {
        self =
            switch failure.code {
            case ENOSPC, EDQUOT: .full("\(failure)")
            case EROFS: .readOnly("\(failure)")
            case ENOENT, EACCES, EPERM: .cannotOpen("\(failure)")
            default: .failed("\(failure)")
            }
    }
}
