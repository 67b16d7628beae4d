#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A folder with a cache file for each subject. Several libraries can share a folder.
///
/// A file name is the SHA-256 of its subject, so a file is never read for another subject and reveals no user. Writes
/// are atomic, and the newest files remain.
package struct CacheFolder: Sendable {
    package let url: URL
    /// The kind and version of the files' payloads: `flags 1`.
    private let kind: String
    /// The extension of the library's files: `flags`.
    private let fileExtension: String
    /// The maximum number of files with the extension; the oldest are evicted.
    private let limit: Int

    package init(url: URL, kind: String, fileExtension: String, limit: Int) {
        (self.url, self.kind, self.fileExtension, self.limit) = (url, kind, fileExtension, limit)
    }

    /// Returns the hash of a subject's parts as 64 hexadecimal digits.
    package static func subject(_ parts: String...) -> String {
        let text = parts.map { "\($0.utf8.count) \($0)" }.joined()
        return SHA2.digest(Array(text.utf8)).hexadecimal
    }

    /// Reads a subject's payload. Returns nil if there is no file.
    package func read(_ subject: String) throws(ChecksummedFileFailure) -> Data? { try file(subject).read() }

    /// Replaces a subject's file, and evicts the oldest files.
    package func write(_ payload: Data, for subject: String) throws {
        try file(subject).write(payload)
        try evictOldest(except: subject)
    }

    private func file(_ subject: String) -> ChecksummedFile {
        ChecksummedFile(url: url.appendingPathComponent("\(subject).\(fileExtension)"), kind: kind)
    }

    private func evictOldest(except subject: String) throws {
        let suffix = ".\(fileExtension)"
        let others = try FileManager.default.contentsOfDirectory(atPath: url.path).filter { name in
            name.hasSuffix(suffix) && name.utf8.count == 64 + suffix.utf8.count && !name.hasPrefix(subject)
        }
        let newestFirst = others.map { name in
            let path = url.appendingPathComponent(name).path
            let written = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            return (path: path, written: written ?? .distantPast)
        }.sorted { $0.written > $1.written }
        for (path, _) in newestFirst.dropFirst(max(0, limit - 1)) {
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                // Another process may have evicted the file.
                if FileManager.default.fileExists(atPath: path) { throw error }
            }
        }
    }
}
