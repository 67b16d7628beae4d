/// A place outside PostgreSQL for the bytes of attachments and previews.
public protocol BlobStore: Sendable {
    /// The name of the store in the rows of `blobs`.
    var name: String { get }

    /// Stores a blob, and replaces a stored one, so that the time tells nothing about it.
    ///
    /// - Parameters:
    ///   - bytes: the length of the blob.
    ///   - fill: appends the bytes in parts, and throws if they are not the blob's; then nothing is stored.
    func write(_ hash: BlobHash, bytes: Int, _ fill: (_ append: ([UInt8]) throws -> Void) throws -> Void) throws

    /// Returns the bytes of a range, or those up to the end of the blob.
    ///
    /// - Throws: `BlobStoreFailure.missing` if the blob is not stored.
    func read(_ hash: BlobHash, from offset: Int, count: Int) throws -> [UInt8]

    /// Passes on a range of a blob in parts, whose sum is the range.
    ///
    /// - Parameter bytes: the length of the whole blob.
    /// - Throws: `BlobStoreFailure`, or an error of `receive`.
    func send(_ range: Range<Int>, of hash: BlobHash, bytes: Int, to receive: ([UInt8]) throws -> Void) throws

    /// Returns the address at which nginx serves the blob to a worker's `X-Accel-Redirect`; nil if nginx can't read it.
    func internalAddress(of hash: BlobHash) -> String?

    /// Calls a closure with each stored blob, and with each draft that an ended process has left.
    func each(_ body: (StoredFile) throws -> Void) throws

    func remove(_ file: StoredFile) throws
}

/// A file of a store.
public struct StoredFile: Sendable {
    /// The hash in the file's name; nil for a draft, which no row names.
    public let hash: BlobHash?
    /// The name in the store, which `remove` takes.
    public let name: String
    /// The time of the last write, in seconds since 1970.
    public let changedAt: Int64
    public let bytes: Int

    public init(hash: BlobHash?, name: String, changedAt: Int64, bytes: Int) {
        (self.hash, self.name, self.changedAt, self.bytes) = (hash, name, changedAt, bytes)
    }
}

/// The failure of a store.
public enum BlobStoreFailure: Error, Equatable {
    /// The blob is not stored.
    case missing
    /// The store has no room for the blob.
    case full
    /// The store can't be reached or used, for the reason in the text.
    case away(String)
}
