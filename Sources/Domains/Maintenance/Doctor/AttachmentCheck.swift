internal import AlmanacAttachments
internal import AlmanacEnvironments
internal import AlmanacPostgreSQL

/// The check that each stored blob of attachments has the bytes that its hash names.
enum AttachmentCheck {
    /// The maximum number of hashes in a finding.
    private static let maxHashes = 20

    /// Checks each store that the environment or the row of a blob names.
    static func findings(_ environment: EnvironmentSettings) -> [Finding] {
        let (name, stores) = (environment.name.text, BlobStores(environment))
        do {
            let connection = try Connection(environment.owner)
            let used = try connection.run(BackupStatements.stores).map { try $0.text("store") }
            let names = stores.all.map(\.name)
            return try (names + used.filter { !names.contains($0) }).map { store in
                let place = store == BlobFolder.storeName ? name : "\(name) in \(store)"
                do {
                    return try finding(place, stores.named(store), connection)
                } catch BlobStoreFailure.away(let reason) {
                    let advice =
                        "mount the folder, and check 'attachments' in the environments file; run almanac doctor as root"
                    return .failed("attachments", place, "the store can't be read: \(reason)", advice: advice)
                }
            }
        } catch {
            return [.failed("attachments", name, "\(error)", advice: "check the database's log")]
        }
    }

    /// Reads each blob of a store.
    static func finding(_ place: String, _ store: any BlobStore, _ connection: Connection) throws -> Finding {
        var wrong: [BlobHash] = []
        var known: Set<BlobHash> = []
        var bytes: Int64 = 0
        for row in try connection.run(BackupStatements.blobs) {
            guard try row.text("store") == store.name, let hash = BlobHash(bytes: try row.bytes("hash")) else {
                continue
            }
            known.insert(hash)
            bytes += try row.bigint("bytes")
            // The blob of a row that is gone by now was removed or moved, which is no fault.
            if try !isRight(hash, try row.bigint("bytes"), store),
                try connection.run(BackupStatements.blobsOf, .bytesArray([hash.bytes])).first?.text("store")
                    == store.name
            {
                wrong.append(hash)
            }
        }
        var orphans = 0
        try store.each { file in
            guard let hash = file.hash, known.contains(hash) else {
                orphans += 1
                return
            }
        }
        let others = orphans == 0 ? "" : "; \(orphans) files have no row, which the hourly cleaning removes after a day"
        guard !wrong.isEmpty else {
            return .good("attachments", place, "\(known.count) blobs with \(bytes) bytes match their hashes\(others)")
        }
        let more = wrong.count > maxHashes ? " and \(wrong.count - maxHashes) more" : ""
        return .failed(
            "attachments", place,
            "\(wrong.count) of \(known.count) blobs are missing or wrong: "
                + wrong.prefix(maxHashes).map(\.description).joined(separator: ", ") + more + others,
            advice: "copy these files from the folder 'attachments' beside the newest backup "
                + "(operating/backups.md, \"Attachments\")")
    }

    private static func isRight(_ hash: BlobHash, _ bytes: Int64, _ store: any BlobStore) throws -> Bool {
        var count: Int64 = 0
        do {
            try BackupBlobs.verified(hash, reading: { try store.read(hash, from: $0, count: $1) }) {
                count += Int64($0.count)
            }
        } catch let failure as BlobStoreFailure where failure == .missing {
            return false
        }
        return count == bytes
    }
}
