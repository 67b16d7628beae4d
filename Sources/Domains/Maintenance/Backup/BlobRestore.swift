internal import AlmanacAttachments
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// The return of attachments' bytes from a backup's folder to the stores.
struct BlobRestore {
    let backup: String
    let stores: BlobStores
    let connection: Connection

    private var files: BackupBlobs { BackupBlobs(besides: backup) }

    /// Keeps rotations from removing files of the backup's folder until the lock's last reference is released. Returns
    /// nil if there is nothing to lock.
    func lock() throws -> FileLock? { try files.lockForReading() }

    /// Copies the listed blobs that no store has, before the rows that name them exist. Blobs that are in neither
    /// are left out.
    func copyListed() throws {
        do {
            for hash in try files.hashes(in: BackupBlobs.list(of: backup)) {
                _ = try restore(hash, bytes: nil, named: stores.current.name)
            }
        } catch BlobStoreFailure.full {
            throw MaintenanceFailure("the store of attachments is full; the database was not changed")
        } catch BlobStoreFailure.away(let reason) {
            throw MaintenanceFailure("the store of attachments can't be used; the database was not changed: \(reason)")
        }
    }

    /// Copies the blobs that the restored rows name and no store has. Deletes the rows of those that are in neither,
    /// so that clients may send them again.
    ///
    /// - Returns: the hashes that are in neither, or the reason why the store can't be used.
    func complete() throws -> [String] {
        // An older schema has no such table.
        guard try connection.run(BackupStatements.hasBlobs).single("the schema").boolean("has_blobs") else { return [] }
        var missing: [String] = []
        for row in try connection.run(BackupStatements.blobs) {
            guard let hash = BlobHash(bytes: try row.bytes("hash")) else { continue }
            let (named, bytes) = (try row.text("store"), try row.bigint("bytes"))
            if let store = try restore(hash, bytes: bytes, named: named) {
                if named != store { try connection.run(BackupStatements.setStore, .bytes(hash.bytes), .text(store)) }
            } else {
                missing.append(hash.description)
                // The bytes may be in a store that the environments file no longer names.
                guard stores.all.contains(where: { $0.name == named }) else { continue }
                try connection.transaction(opening: [BlobLock.take(hash)]) { connection, _ in
                    // A client may have sent the bytes meanwhile.
                    guard try !stores.all.contains(where: { try has(hash, bytes: bytes, $0) }) else { return }
                    try connection.run(BackupStatements.deleteBlob, .bytes(hash.bytes))
                }
            }
        }
        return missing
    }

    /// Copies a blob that no store has into the store of new blobs.
    ///
    /// - Parameter named: the store that probably has the blob.
    /// - Returns: the name of the store that has the blob; nil if it is in neither.
    private func restore(_ hash: BlobHash, bytes: Int64?, named: String) throws -> String? {
        let places = (try? stores.places(of: named)) ?? stores.all
        if let store = try places.first(where: { try has(hash, bytes: bytes, $0) }) { return store.name }
        return try connection.transaction(opening: [BlobLock.take(hash)]) { _, _ in
            try files.restore(hash, to: stores.current) ? stores.current.name : nil
        }
    }

    /// - Parameter bytes: the length; nil if any length will do.
    private func has(_ hash: BlobHash, bytes: Int64?, _ store: any BlobStore) throws -> Bool {
        do {
            // A blob of that length has one byte left at this offset.
            return try store.read(hash, from: max(0, Int(bytes ?? 1) - 1), count: 2).count == 1 || bytes == nil
        } catch let failure as BlobStoreFailure where failure == .missing {
            return false
        }
    }
}
