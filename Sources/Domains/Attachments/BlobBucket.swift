public import AlmanacEnvironments
internal import AlmanacObjectStore

/// The store in a bucket of S3: `<prefix><environment>/<2 digits>/<hash>`. Workers send the bytes to clients.
public struct BlobBucket: BlobStore {
    public let name = "s3"
    private let client: S3Client?
    private let secretFile: String
    private let prefix: String

    public init(environment: String, _ settings: S3Settings) {
        client = settings.secret.map { S3Client(settings, secret: $0) }
        secretFile = settings.secretFile
        prefix = "\(settings.prefix)\(environment)/"
    }

    private func key(of hash: BlobHash) -> String { "\(prefix)\(hash.description.prefix(2))/\(hash)" }

    public func internalAddress(of hash: BlobHash) -> String? { nil }

    public func write(
        _ hash: BlobHash, bytes: Int, _ fill: (_ append: ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        try using { try $0.put(key(of: hash), bytes: bytes, sha256: hash.bytes, fill) }
    }

    public func read(_ hash: BlobHash, from offset: Int, count: Int) throws -> [UInt8] {
        guard count > 0 else { return [] }
        var found: [UInt8] = []
        try using { try $0.get(key(of: hash), range: offset..<offset + count) { found += $0 } }
        return found
    }

    public func send(
        _ range: Range<Int>, of hash: BlobHash, bytes: Int, to receive: ([UInt8]) throws -> Void
    ) throws {
        try using { try $0.get(key(of: hash), range: range, bytes: bytes, receive: receive) }
    }

    public func each(_ body: (StoredFile) throws -> Void) throws {
        try using { client in
            try client.each(prefix: prefix) { object in
                let name = String(object.key.dropFirst(prefix.count))
                guard let hash = name.split(separator: "/").last.flatMap({ BlobHash(String($0)) }),
                    object.key == key(of: hash)
                else { return }
                try body(StoredFile(hash: hash, name: name, changedAt: object.modifiedAt, bytes: object.bytes))
            }
        }
    }

    public func remove(_ file: StoredFile) throws { try using { try $0.remove(prefix + file.name) } }

    /// Translates the failures of the bucket.
    private func using<Result>(_ body: (S3Client) throws -> Result) throws -> Result {
        guard let client else { throw BlobStoreFailure.away("cannot read the secret key \(secretFile)") }
        do {
            return try body(client)
        } catch S3Failure.missing {
            throw BlobStoreFailure.missing
        } catch S3Failure.full {
            throw BlobStoreFailure.full
        } catch let failure as S3Failure {
            throw BlobStoreFailure.away("\(failure)")
        }
    }
}
