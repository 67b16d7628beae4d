public import AlmanacPostgreSQL

/// The lock on a blob's hash, which storing, removing and backing up the blob take, over all workers and stores.
public enum BlobLock {
    /// The first key of the lock, which no other lock uses: "blob" in ASCII.
    private static let space: Int32 = 0x626C_6F62

    private static let lock = Statement(
        """
        -- name: blob_lock
        select pg_advisory_xact_lock($1, $2)
        """)

    /// Takes the lock until the transaction ends. Blobs whose hashes begin with the same four bytes share a lock.
    ///
    /// A transaction takes the lock before it locks an account, and takes only one.
    public static func take(_ hash: BlobHash) -> Call {
        let key = hash.bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Call(lock, .integer(space), .integer(Int32(bitPattern: key)))
    }
}
