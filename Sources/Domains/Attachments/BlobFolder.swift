internal import AlmanacPOSIX

/// The store in a folder: `<root>/<environment>/<2 digits>/<hash>`. Workers write the files, and nginx reads them.
public struct BlobFolder: BlobStore {
    public static let storeName = "folder"
    public let name = Self.storeName
    /// The folder of the environment.
    private let folder: String
    private let environment: String
    private let root: String

    /// The beginning of the addresses at which nginx serves the files internally (deploy/nginx/almanac-answers.conf).
    private static let addresses = "/-/attachments/"
    /// Files and folders are closed to other users; the group is nginx's, inherited from the root's set-group-ID bit.
    private static let filePermissions: UInt32 = 0o640
    private static let folderPermissions: UInt32 = 0o750
    /// The modification time of all files, because nginx shows it, and accounts must not learn of each other's uploads.
    private static let modificationTime = 946_684_800
    private static let draftPrefix = "draft-"

    /// - Parameter root: the folder of all environments.
    public init(environment: String, root: String) {
        self.environment = environment
        self.root = root
        folder = "\(root)/\(environment)"
    }

    /// Returns the path of a blob's file, which may not exist.
    public func path(of hash: BlobHash) -> String { "\(folder(of: hash))/\(hash)" }

    private func folder(of hash: BlobHash) -> String { "\(folder)/\(hash.description.prefix(2))" }

    public func internalAddress(of hash: BlobHash) -> String? {
        "\(Self.addresses)\(environment)/\(hash.description.prefix(2))/\(hash)"
    }

    public func write(
        _ hash: BlobHash, bytes: Int, _ fill: (_ append: ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        let folder = folder(of: hash)
        let (file, draft) = try storing { () throws(SystemFailure) in
            try makeFolder(folder, in: self.folder)
            return try DraftFile.named("\(folder)/\(Self.draftPrefix)")
        }
        do {
            try fill { bytes in try storing { () throws(SystemFailure) in try file.write(bytes) } }
            try storing { () throws(SystemFailure) in
                try file.setPermissions(Self.filePermissions)
                try file.setModificationTime(Self.modificationTime)
                try File.inheritOwner(draft, of: root)
                try file.publish(draft, as: path(of: hash))
                try File.flushFolder(folder)
            }
        } catch {
            File.remove(draft)
            throw error
        }
    }

    /// Creates a missing folder of hashes, and the environment's folder, durably.
    private func makeFolder(_ folder: String, in environmentFolder: String) throws(SystemFailure) {
        if try File.exists(folder) { return }
        for (folder, parent) in [(environmentFolder, root), (folder, environmentFolder)]
        where try File.makeFolder(folder, permissions: Self.folderPermissions) {
            // A restore by root makes files for the workers.
            try File.inheritOwner(folder, of: root)
            try File.flushFolder(parent)
        }
    }

    public func read(_ hash: BlobHash, from offset: Int, count: Int) throws -> [UInt8] {
        do throws(SystemFailure) {
            return try File.read(path(of: hash), from: offset, count: count)
        } catch {
            // Without the root, for example before its volume is mounted, no blob is missing.
            guard error.isMissingFile, (try? File.exists(root)) == true else {
                throw BlobStoreFailure.away("\(root): \(error)")
            }
            throw BlobStoreFailure.missing
        }
    }

    /// The size of a part in bytes.
    private static let partBytes = 1 << 20

    public func send(
        _ range: Range<Int>, of hash: BlobHash, bytes: Int, to receive: ([UInt8]) throws -> Void
    ) throws {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.partBytes) {
            let count = min(Self.partBytes, range.upperBound - start)
            let part = try read(hash, from: start, count: count)
            guard part.count == count else { throw BlobStoreFailure.missing }
            try receive(part)
        }
    }

    public func each(_ body: (StoredFile) throws -> Void) throws {
        for parent in try names(in: folder) {
            for name in try names(in: "\(folder)/\(parent)") {
                let hash = BlobHash(name)
                guard hash != nil || name.hasPrefix(Self.draftPrefix) else { continue }
                let path = "\(folder)/\(parent)/\(name)"
                // A file that was removed meanwhile is no failure.
                guard let changedAt = try? FileSystem.changeTime(of: path), let bytes = try? File.size(path)
                else { continue }
                try body(StoredFile(hash: hash, name: "\(parent)/\(name)", changedAt: changedAt, bytes: bytes))
            }
        }
    }

    private func names(in folder: String) throws -> [String] {
        do throws(SystemFailure) {
            return try File.names(inFolder: folder)
        } catch {
            guard error.isMissingFile, (try? File.exists(root)) == true else {
                throw BlobStoreFailure.away("\(folder): \(error)")
            }
            return []
        }
    }

    public func remove(_ file: StoredFile) throws { File.remove("\(folder)/\(file.name)") }

    /// Translates the failure of a write.
    private func storing<Result>(_ body: () throws(SystemFailure) -> Result) throws(BlobStoreFailure) -> Result {
        do throws(SystemFailure) {
            return try body()
        } catch {
            throw error.isFullDisk ? .full : .away("\(root): \(error)")
        }
    }
}
