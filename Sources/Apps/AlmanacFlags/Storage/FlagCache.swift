internal import AlmanacClientRuntime
internal import Foundation

/// A cache folder with a file for each context. A file name is the SHA-256 of environment, version and context.
///
/// Evaluations for one context are thus never read for another, and file names reveal no user. Writes are atomic.
struct FlagCache: Sendable {
    let folder: URL
    /// The maximum number of files; the oldest are evicted.
    let limit: Int

    private static let ending = ".flags"

    /// Returns the cached evaluations; nil if there are none.
    func read(_ context: FlagContext, environment: String, pin: String?) throws(ChecksummedFileFailure) -> FlagSnapshot?
    {
        let subject = Self.subject(context, environment, pin)
        guard let payload = try file(subject).read() else { return nil }
        return try FlagSnapshot(payload: payload, subject: subject, context: context)
    }

    func write(_ snapshot: FlagSnapshot, environment: String, pin: String?) throws {
        let subject = Self.subject(snapshot.context, environment, pin)
        try file(subject).write(snapshot.payload(subject: subject))
        try evictOldest(except: subject)
    }

    private func file(_ subject: String) -> ChecksummedFile {
        ChecksummedFile(url: folder.appending(path: subject + Self.ending), kind: "flags 1")
    }

    private func evictOldest(except subject: String) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
        let others = files.filter { file in
            let name = file.lastPathComponent
            return name.hasSuffix(Self.ending) && name.utf8.count == 64 + Self.ending.utf8.count
                && !name.hasPrefix(subject)
        }
        let newestFirst = others.map { file in
            let written = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            return (file: file, written: written ?? .distantPast)
        }.sorted { $0.written > $1.written }
        for (file, _) in newestFirst.dropFirst(max(0, limit - 1)) { try FileManager.default.removeItem(at: file) }
    }

    /// Returns the hash of environment, pinned version and context as 64 hexadecimal digits.
    private static func subject(_ context: FlagContext, _ environment: String, _ pin: String?) -> String {
        let parts = [environment, pin ?? "", context.json].map { "\($0.utf8.count) \($0)" }
        return SHA2.digest(Array(parts.joined().utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
