public import AlmanacHTTPSClient
internal import AlmanacPOSIX

/// The places for the bytes of an environment's attachments.
public struct AttachmentSettings: Sendable, Equatable {
    /// The store of new bytes.
    public var store = Store.folder
    /// The bucket for bytes in S3; nil if no bytes are there.
    public var s3: S3Settings?

    public init(store: Store = .folder, s3: S3Settings? = nil) { (self.store, self.s3) = (store, s3) }

    public enum Store: String, Sendable, CaseIterable {
        case folder, s3
    }
}

/// A bucket of Amazon S3 or a compatible store.
public struct S3Settings: Sendable, Equatable {
    public let endpoint: WebAddress
    public let region: String
    public let bucket: String
    /// The beginning of all keys: empty, or a path with a slash at its end.
    public let prefix: String
    public let keyID: String
    /// The file whose first line is the secret key.
    public let secretFile: String
    /// The secret key. Nil if an owner's command, which may lack access to the file, could not read it.
    public let secret: ClientSecret?
    /// The only trusted certificate authorities, in PEM; nil trusts those of the system.
    public let caFile: String?

    public init(
        endpoint: WebAddress, region: String, bucket: String, prefix: String = "", keyID: String, secretFile: String,
        secret: ClientSecret?, caFile: String? = nil
    ) {
        (self.endpoint, self.region, self.bucket, self.prefix) = (endpoint, region, bucket, prefix)
        (self.keyID, self.secretFile, self.secret, self.caFile) = (keyID, secretFile, secret, caFile)
    }
}

extension EnvironmentsFile {
    /// Reads the member `attachments`.
    static func attachments(_ section: Section, _ reader: FileReader) throws(EnvironmentsFailure) -> AttachmentSettings
    {
        var settings = AttachmentSettings()
        guard let section = try section.section("attachments") else { return settings }
        try section.allow("store", "s3")
        if let text = try section.string("store") {
            guard let store = AttachmentSettings.Store(rawValue: text) else {
                throw section.failure("'store' must be \"folder\" or \"s3\"")
            }
            settings.store = store
        }
        if let s3 = try section.section("s3") { settings.s3 = try bucket(s3, reader) }
        if settings.store == .s3, settings.s3 == nil { throw section.failure("the store s3 needs the member 's3'") }
        return settings
    }

    private static func bucket(_ section: Section, _ reader: FileReader) throws(EnvironmentsFailure) -> S3Settings {
        try section.allow("endpoint", "region", "bucket", "prefix", "key_id", "secret_file", "ca_file")
        guard let endpoint = try section.string("endpoint"), let bucket = try section.string("bucket"),
            let keyID = try section.string("key_id"), let secretFile = try section.string("secret_file")
        else { throw section.failure("expected 'endpoint', 'bucket', 'key_id' and 'secret_file'") }
        // The endpoint's path, bucket and prefix are parts of a signed URL, and need no encoding.
        guard let address = WebAddress(endpoint), endpoint.wholeMatch(of: /[A-Za-z0-9.:\/_\[\]-]+/) != nil else {
            throw section.failure("'endpoint' must be \(WebAddress.form)")
        }
        guard bucket.wholeMatch(of: /[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/) != nil else {
            throw section.failure("'bucket' must be a name of 3 to 63 lower-case letters, digits, points and hyphens")
        }
        let prefix = try section.string("prefix") ?? ""
        guard prefix.wholeMatch(of: /([A-Za-z0-9_-]+\/)*/) != nil else {
            throw section.failure("'prefix' must be folders of letters, digits, _ and -, each with a slash after it")
        }
        let region = try section.string("region") ?? "us-east-1"
        guard region.wholeMatch(of: /[a-z0-9-]+/) != nil, keyID.wholeMatch(of: /[!-~&&[^,\/]]+/) != nil else {
            throw section.failure("'region' and 'key_id' must be as the provider of the store gives them")
        }
        let caFile = try section.string("ca_file")
        return S3Settings(
            endpoint: address, region: region, bucket: bucket, prefix: prefix, keyID: keyID, secretFile: secretFile,
            secret: try secret(secretFile, in: section, reader), caFile: caFile)
    }

    private static func secret(
        _ path: String, in section: Section, _ reader: FileReader
    ) throws(EnvironmentsFailure) -> ClientSecret? {
        let line: ArraySlice<UInt8>
        do { line = try File.read(path, limit: 4096).prefix { $0 != 10 && $0 != 13 } } catch {
            guard reader == .worker else { return nil }
            throw section.failure("cannot read the secret key \(path): \(error)")
        }
        guard !line.isEmpty, line.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw section.failure("the first line of \(path) must be a secret key, in ASCII")
        }
        return ClientSecret(text: String(decoding: line, as: UTF8.self))
    }
}
