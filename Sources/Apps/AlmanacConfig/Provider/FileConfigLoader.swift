public import Foundation

/// Keeps the document and its validator in one file, which is replaced as a whole.
public struct FileConfigLoader: LocalConfigLoader {
    private let file: SealedFile

    private struct Head: Codable {
        var validator: String?
    }

    public init(_ url: URL) {
        file = SealedFile(url: url, kind: "document 1")
    }

    /// - Throws: ``ConfigFailure/invalidValue(_:)`` for a file that is damaged or of another kind.
    public func load() throws -> LoadedConfig? {
        do throws(SealedFileFailure) {
            guard let payload = try file.read() else { return nil }
            let parts = payload.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let head = try? JSONDecoder().decode(Head.self, from: parts[0]) else {
                throw .corrupt
            }
            return LoadedConfig(data: Data(parts[1]), validator: head.validator)
        } catch {
            throw ConfigFailure.invalidValue("expected a kept document: \(error)")
        }
    }

    public func save(_ document: LoadedConfig) throws {
        let head = try JSONEncoder().encode(Head(validator: document.validator))
        try file.write(head + Data("\n".utf8) + document.data)
    }
}
