#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A sign-in in a file that only its owner can read, for platforms without a keychain.
///
/// It is replaced as a whole: who reads it finds the old or the new tokens, all of them. A second file with `.lock` at the
/// end of its name stays beside it.
public struct FileTokenStorage: TokenStorage {
    public let path: String
    /// How long a refresh of another process may take, in seconds.
    private static let patience: Double = 90

    /// - Parameter path: of the file; its folder is made when something is saved, for its owner only.
    public init(path: String) {
        self.path = path
    }

    public func load() async throws -> StoredSignIn? {
        guard let bytes = try PrivateFile.read(path) else { return nil }
        guard let form = try? JSONDecoder().decode(Form.self, from: Data(bytes)), form.version == 1 else {
            throw SignInFailure.storage("\(path): expected a file that a sign-in has written; signing in replaces it")
        }
        return form.signIn
    }

    public func save(_ signIn: StoredSignIn?) async throws {
        guard let signIn else { return try PrivateFile.remove(path) }
        try PrivateFile.makeFolder(of: path)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try PrivateFile.replace(path, Array(encoder.encode(Form(version: 1, signIn: signIn))))
    }

    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        try PrivateFile.makeFolder(of: path)
        let lock = try FileLock(path + ".lock")
        let deadline = ContinuousClock.now + .seconds(Self.patience)
        // The system tells nobody when a lock becomes free except by blocking a thread, with no way to stop that.
        while !(try lock.take()) {
            guard ContinuousClock.now < deadline else {
                throw SignInFailure.storage("\(path): another process does not let go of it")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        defer { lock.release() }
        return try await work()
    }

    private struct Form: Codable {
        let version: Int
        let signIn: StoredSignIn
    }
}
