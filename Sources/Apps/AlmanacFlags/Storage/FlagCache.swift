internal import AlmanacClientRuntime
internal import Foundation

/// A folder with a file for each context, named by the SHA-256 of what the evaluations are for.
///
/// So no context finds what was chosen for another, and no name tells who it was. Each file is replaced as a whole.
struct FlagCache: Sendable {
    let folder: URL
    /// How many contexts are kept: those written last.
    let limit: Int

    private static let ending = ".flags"

    /// - Returns: nil when there is none.
    func read(_ context: FlagContext, environment: String, pin: String?) throws(SealedFileFailure) -> FlagSnapshot? {
        let subject = Self.subject(context, environment, pin)
        guard let payload = try file(subject).read() else { return nil }
        return try FlagSnapshot(payload: payload, subject: subject, context: context)
    }

    func write(_ snapshot: FlagSnapshot, environment: String, pin: String?) throws {
        let subject = Self.subject(snapshot.context, environment, pin)
        try file(subject).write(snapshot.payload(subject: subject))
        try forgetOldest(but: subject)
    }

    private func file(_ subject: String) -> SealedFile {
        SealedFile(url: folder.appending(path: subject + Self.ending), kind: "flags 1")
    }

    private func forgetOldest(but subject: String) throws {
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

    /// What evaluations are for: an environment, a pinned major and a context, as 64 hexadecimal digits.
    private static func subject(_ context: FlagContext, _ environment: String, _ pin: String?) -> String {
        let parts = [environment, pin ?? "", context.json].map { "\($0.utf8.count) \($0)" }
        return SHA2.digest(Array(parts.joined().utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
