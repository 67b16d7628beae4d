internal import AlmanacCryptography
public import AlmanacPostgreSQL

/// A move of all blobs of an environment to one of its stores. Another run continues an interrupted one.
///
/// Each blob is copied, then its row names the new store, and both happen under the lock on the hash. The old copies
/// are removed after all rows have changed, so that reads that have begun can end.
public struct BlobMove {
    private let connection: Connection
    private let stores: BlobStores
    private let target: any BlobStore

    /// The numbers of moved things.
    public struct Report: Sendable, Equatable {
        public internal(set) var moved = 0
        public internal(set) var movedBytes = 0
        /// The copies that were removed from the other stores.
        public internal(set) var removed = 0
        /// The blobs that stay where their rows say, because their store has no bytes with that hash.
        public internal(set) var wrong: [BlobHash] = []
    }

    /// - Parameter name: The name of the store that receives the blobs.
    /// - Throws: `BlobStoreFailure.away` if the environment has no such store.
    public init(to name: String, of stores: BlobStores, on connection: Connection) throws(BlobStoreFailure) {
        target = try stores.named(name)
        self.stores = stores
        self.connection = connection
    }

    private static let page = Statement(
        """
        -- name: blob_move_page
        select hash from blobs where store <> $1 and hash > $2 order by hash limit 1000
        """)

    private static let blob = Statement(
        """
        -- name: blob_move_blob
        select bytes, store from blobs where hash = $1
        """)

    private static let setStore = Statement(
        """
        -- name: blob_move_set_store
        update blobs set store = $2 where hash = $1
        """)

    /// - Parameter progress: Receives the state after each step.
    public func run(progress: (Report) -> Void = { _ in }) throws -> Report {
        var report = Report()
        var last: [UInt8] = []
        while true {
            let rows = try connection.run(Self.page, .text(target.name), .bytes(last))
            for row in rows {
                last = try row.bytes("hash")
                guard let hash = BlobHash(bytes: last) else { continue }
                try move(hash, &report)
                progress(report)
            }
            if rows.isEmpty { break }
        }
        for store in stores.all where store.name != target.name {
            try store.each { file in
                guard try removeCopy(file, from: store) else { return }
                report.removed += 1
                progress(report)
            }
        }
        return report
    }

    private func move(_ hash: BlobHash, _ report: inout Report) throws {
        do {
            let bytes = try withBlob(hash) { row in
                let bytes = Int(try row.bigint("bytes"))
                try copy(hash, bytes: bytes, from: stores.named(try row.text("store")))
                try connection.run(Self.setStore, .bytes(hash.bytes), .text(target.name))
                return bytes
            }
            guard let bytes else { return }
            report.moved += 1
            report.movedBytes += bytes
        } catch is WrongBytes {
            report.wrong.append(hash)
        }
    }

    private struct WrongBytes: Error {}

    private func copy(_ hash: BlobHash, bytes: Int, from source: any BlobStore) throws {
        try target.write(hash, bytes: bytes) { append in
            var digester = SHA256.Digester()
            do {
                try source.send(0..<bytes, of: hash, bytes: bytes) { part in
                    digester.append(part)
                    try append(part)
                }
            } catch BlobStoreFailure.missing {
                throw WrongBytes()
            }
            guard digester.finish() == hash.bytes else { throw WrongBytes() }
        }
    }

    /// Removes a copy of a blob whose row names another store. A file without a row may belong to an upload.
    private func removeCopy(_ file: StoredFile, from store: any BlobStore) throws -> Bool {
        guard let hash = file.hash else { return false }
        return try withBlob(hash) { row in
            guard try row.text("store") != store.name else { return false }
            try store.remove(file)
            return true
        } ?? false
    }

    /// Runs `body` with a blob's row under the lock on its hash. Returns nil if there is no row.
    private func withBlob<Result>(_ hash: BlobHash, _ body: (Row) throws -> Result) throws -> Result? {
        try connection.transaction(opening: [BlobLock.take(hash)]) { connection, _ in
            // Read after the wait for the lock, with a snapshot of its own.
            try connection.run(Self.blob, .bytes(hash.bytes)).first.map(body)
        }
    }
}
