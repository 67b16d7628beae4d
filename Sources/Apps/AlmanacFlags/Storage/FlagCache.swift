internal import AlmanacClientRuntime
internal import Foundation

/// A cache folder with a file for each environment, version and context.
struct FlagCache: Sendable {
    private let folder: CacheFolder

    /// - Parameter limit: the maximum number of contexts; the oldest are evicted.
    init(folder: URL, limit: Int) {
        self.folder = CacheFolder(url: folder, kind: "flags 1", fileExtension: "flags", limit: limit)
    }

    /// Returns the cached evaluations; nil if there are none.
    func read(_ context: FlagContext, environment: String, pin: String?) throws(ChecksummedFileFailure) -> FlagSnapshot?
    {
        let subject = CacheFolder.subject(environment, pin ?? "", context.json)
        guard let payload = try folder.read(subject) else { return nil }
        return try FlagSnapshot(payload: payload, subject: subject, context: context)
    }

    func write(_ snapshot: FlagSnapshot, environment: String, pin: String?) throws {
        let subject = CacheFolder.subject(environment, pin ?? "", snapshot.context.json)
        try folder.write(snapshot.payload(subject: subject), for: subject)
    }
}
