public import AlmanacEnvironments

/// The stores of an environment's blobs.
public struct BlobStores: Sendable {
    /// The stores, that of new blobs first.
    public let all: [any BlobStore]

    /// The store of new blobs.
    public var current: any BlobStore { all[0] }

    public init(_ settings: EnvironmentSettings) {
        let folder = BlobFolder(environment: settings.name.text, root: settings.attachmentsFolder)
        guard let s3 = settings.attachments.s3 else {
            all = [folder]
            return
        }
        let bucket = BlobBucket(environment: settings.name.text, s3)
        all = settings.attachments.store == .s3 ? [bucket, folder] : [folder, bucket]
    }

    /// - Parameter all: The stores, that of new blobs first.
    init(all: [any BlobStore]) { self.all = all }

    /// Returns the stores that may have a blob: that of its row first, because a move may go on.
    public func places(of name: String) throws(BlobStoreFailure) -> [any BlobStore] {
        [try named(name)] + all.filter { $0.name != name }
    }

    /// Returns the store of a blob, whose row names it.
    public func named(_ name: String) throws(BlobStoreFailure) -> any BlobStore {
        if let store = all.first(where: { $0.name == name }) { return store }
        throw .away("bytes are in the store '\(name)', but the environments file lacks its settings in 'attachments'")
    }
}
