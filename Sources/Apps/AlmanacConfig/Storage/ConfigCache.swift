internal import AlmanacClientRuntime
internal import Foundation

/// A cache folder with a file for each environment and version.
struct ConfigCache: Sendable {
    private let folder: CacheFolder
    private let environment: String
    private let pin: String?

    /// The maximum number of files. An app that lets testers choose an environment uses a few.
    private static let limit = 8
    private static let kind = "config 1"

    init(folder: URL, environment: URL, pin: String?) {
        self.folder = CacheFolder(url: folder, kind: Self.kind, fileExtension: "config", limit: Self.limit)
        (self.environment, self.pin) = (environment.absoluteString, pin)
    }

    /// Returns the cached config; nil if there is none.
    func read() throws -> ConfigSnapshot? {
        try adoptFormerFile()
        guard let payload = try folder.read(CacheFolder.subject(environment, pin ?? "")) else { return nil }
        let snapshot = try ConfigSnapshot(payload: payload)
        guard snapshot.environment == environment, snapshot.pin == pin else { throw ChecksummedFileFailure.corrupt }
        return snapshot
    }

    func write(_ snapshot: ConfigSnapshot) throws {
        try folder.write(snapshot.payload(), for: CacheFolder.subject(snapshot.environment, snapshot.pin ?? ""))
    }

    /// Moves the cache of Almanac 1.0.0, a single file in the place of the folder, into the folder. Removes the file if
    /// it is damaged. A file of another program stays.
    private func adoptFormerFile() throws {
        var former: ConfigSnapshot?
        do throws(ChecksummedFileFailure) {
            guard let payload = try ChecksummedFile(url: folder.url, kind: Self.kind).read() else { return }
            former = try ConfigSnapshot(payload: payload)
        } catch {
            guard error == .corrupt else { return }
        }
        try FileManager.default.removeItem(at: folder.url)
        if let former { try write(former) }
    }
}
