internal import AlmanacAttachments
internal import AlmanacCryptography
internal import AlmanacPOSIX

/// The files of attachments beside the backups of a folder: `attachments/<hash>`, once for all backups. Each backup
/// lists the hashes that it needs in `<backup>.hashes`.
///
/// A backup holds a shared lock of the folder from before it looks for files until its list has its name, and a restore
/// holds one while it reads files. Files are removed under the exclusive lock, so no file is removed that a running
/// backup has found or written, or that a running restore needs.
struct BackupBlobs {
    /// The folder of the backups.
    private let parent: String
    private let folder: String

    private static let listSuffix = ".hashes"
    private static let draftPrefix = "draft-"
    private static let partBytes = 1 << 20

    /// - Parameter backup: the path of a backup, which may not exist yet.
    init(besides backup: String) {
        self.init(
            inFolder: backup.lastIndex(of: "/").map { $0 == backup.startIndex ? "/" : String(backup[..<$0]) } ?? ".")
    }

    init(inFolder parent: String) {
        self.parent = parent
        folder = "\(parent)/attachments"
    }

    static func list(of backup: String) -> String { backup + listSuffix }

    /// Creates the folder, and locks it against the removal of files until the lock's last reference is released.
    func lock() throws -> FileLock {
        try failing(folder) { () throws(SystemFailure) in
            try File.makePrivateFolder(folder)
            return try FileLock(lockFile, isShared: true)
        }
    }

    /// Locks the folder like `lock`, while a restore reads the files.
    ///
    /// - Returns: nil if there is no folder, or if it is a read-only copy without the file of the lock.
    func lockForReading() throws -> FileLock? {
        try failing(folder) { () throws(SystemFailure) -> FileLock? in
            guard try File.exists(folder) else { return nil }
            do throws(SystemFailure) { return try FileLock(lockFile, isShared: true) } catch {
                if error.isReadOnlyFileSystem { return nil }
                throw error
            }
        }
    }

    /// A blob to back up, with the name of its store.
    typealias Source = (hash: BlobHash, bytes: Int64, store: String)

    /// Copies the blobs that the folder lacks. The caller holds the lock.
    ///
    /// The blobs of the store need no lock: a store replaces whole files only, and each copy's hash is compared.
    ///
    /// - Returns: the blobs that the store lacks or has with other bytes.
    func add(
        _ blobs: [Source], from stores: BlobStores, progress: (Int) -> Void
    ) throws -> [BlobHash] {
        var missing: [BlobHash] = []
        var total = 0
        for blob in blobs {
            let path = path(of: blob.hash)
            if (try? File.size(path)) == Int(blob.bytes) { continue }
            if try !stores.places(of: blob.store).contains(where: { try copy(blob.hash, from: $0, to: path) }) {
                missing.append(blob.hash)
            }
            total += Int(blob.bytes)
            progress(total)
        }
        if total > 0 { try failing(folder) { () throws(SystemFailure) in try File.flushFolder(folder) } }
        return missing
    }

    /// - Returns: false if the store lacks the blob or has other bytes.
    private func copy(_ hash: BlobHash, from store: any BlobStore, to path: String) throws -> Bool {
        let (file, draft) = try failing(path) { () throws(SystemFailure) in
            try DraftFile.named("\(folder)/\(Self.draftPrefix)")
        }
        defer { File.remove(draft) }
        do {
            try Self.verified(hash, reading: { try store.read(hash, from: $0, count: $1) }) { bytes in
                try failing(path) { () throws(SystemFailure) in try file.write(bytes) }
            }
        } catch let failure as BlobStoreFailure where failure == .missing {
            return false
        }
        try failing(path) { () throws(SystemFailure) in try file.publish(draft, as: path) }
        return true
    }

    /// Writes a list with a durable name.
    func write(_ hashes: [BlobHash], as list: String) throws {
        let text = hashes.map { "\($0)\n" }.sorted().joined()
        try failing(list) { () throws(SystemFailure) in
            try File.replace(list, contents: Array(text.utf8), permissions: 0o600, isDurable: true)
        }
    }

    /// Returns the hashes in a list; none if there is no list.
    func hashes(in list: String) throws -> [BlobHash] {
        let bytes: [UInt8]
        do throws(SystemFailure) { bytes = try File.read(list, limit: 1 << 30) } catch {
            if error.isMissingFile { return [] }
            throw MaintenanceFailure("\(list): \(error)")
        }
        return try bytes.split(separator: 10).map { line in
            guard let hash = BlobHash(String(decoding: line, as: UTF8.self)) else {
                throw MaintenanceFailure("\(list): a line is not a SHA-256; expected 64 hexadecimal digits")
            }
            return hash
        }
    }

    /// Writes a blob into a store. Returns false if the folder lacks the blob or has other bytes.
    func restore(_ hash: BlobHash, to store: any BlobStore) throws -> Bool {
        let path = path(of: hash)
        guard (try? File.exists(path)) == true else { return false }
        do {
            try store.write(hash, bytes: File.size(path)) { append in
                try Self.verified(hash, reading: { try File.read(path, from: $0, count: $1) }, append)
            }
            return true
        } catch let failure as BlobStoreFailure where failure == .missing {
            return false
        }
    }

    /// Reads a blob in parts, and passes them on. Throws `missing` at the end if the hash is another one.
    static func verified(
        _ hash: BlobHash, reading read: (_ offset: Int, _ count: Int) throws -> [UInt8],
        _ body: ([UInt8]) throws -> Void
    ) throws {
        var digester = SHA256.Digester()
        var offset = 0
        while true {
            let bytes = try read(offset, partBytes)
            digester.append(bytes)
            try body(bytes)
            offset += bytes.count
            if bytes.count < partBytes { break }
        }
        guard digester.finish() == hash.bytes else { throw BlobStoreFailure.missing }
    }

    /// Removes the lists of backups that are gone, and then the files that no list names. Removes nothing while another
    /// backup or a restore is running.
    ///
    /// - Parameter isRotated: returns true for the names of backups that rotation may have removed.
    func removeUnlisted(isRotated: (String) -> Bool) throws {
        guard (try? File.exists(folder)) == true else { return }
        let lock: FileLock
        do throws(SystemFailure) { lock = try FileLock(lockFile, isShared: false) } catch {
            if error.isLocked { return }
            throw MaintenanceFailure("\(folder): \(error)")
        }
        try withExtendedLifetime(lock) {
            var listed: Set<String> = []
            for name in try names(in: parent) where name.hasSuffix(Self.listSuffix) {
                let (list, backup) = ("\(parent)/\(name)", String(name.dropLast(Self.listSuffix.count)))
                if isRotated(backup), (try? File.exists("\(parent)/\(backup)")) == false {
                    File.remove(list)
                } else {
                    listed.formUnion(try hashes(in: list).map(\.description))
                }
            }
            for name in try names(in: folder) where !listed.contains(name) {
                guard BlobHash(name) != nil || name.hasPrefix(Self.draftPrefix) else { continue }
                File.remove("\(folder)/\(name)")
            }
        }
    }

    private func names(in folder: String) throws -> [String] {
        try failing(folder) { () throws(SystemFailure) in try File.names(inFolder: folder) }
    }

    private var lockFile: String { "\(folder)/.lock" }

    private func path(of hash: BlobHash) -> String { "\(folder)/\(hash)" }

    private func failing<Result>(_ path: String, _ body: () throws(SystemFailure) -> Result) throws -> Result {
        do throws(SystemFailure) { return try body() } catch { throw MaintenanceFailure("\(path): \(error)") }
    }
}
