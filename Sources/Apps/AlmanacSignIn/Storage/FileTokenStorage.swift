#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
#if canImport(Glibc)
    internal import Glibc
#endif

/// A sign-in in a file that only its owner can read, for platforms without a keychain.
///
/// It is replaced as a whole: a reader finds the old or the new tokens, all of them. A second file with `.lock` at the
/// end of its name stays beside it.
public struct FileTokenStorage: TokenStorage {
    /// Where the sign-in lies.
    public let file: URL
    private let clock: any ClientClock

    /// - Parameter file: its folder is made when something is saved, for its owner only.
    public init(file: URL, clock: any ClientClock = SystemClientClock()) {
        self.file = file
        self.clock = clock
    }

    private var path: String { file.path }

    /// - Throws: ``SignInFailure/storage(_:)`` for a file that others can read, or that no sign-in has written.
    public func load() async throws -> StoredSignIn? {
        guard let bytes = try PrivateFile.read(path) else { return nil }
        guard let form = try? JSONDecoder().decode(Form.self, from: Data(bytes)), form.version == 1 else {
            throw SignInFailure.storage("\(path): expected a file that a sign-in has written; signing in replaces it")
        }
        return form.signIn
    }

    /// Writes the file anew, or removes it.
    public func save(_ signIn: StoredSignIn?) async throws {
        guard let signIn else { return try PrivateFile.remove(path) }
        try PrivateFile.makeFolder(of: path)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try PrivateFile.replace(path, Array(encoder.encode(Form(version: 1, signIn: signIn))))
    }

    /// Holds a lock that all processes with this file respect, and waits for it up to 90 s.
    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        try await FileLock.exclusively(path, clock, work)
    }

    private struct Form: Codable {
        let version: Int
        let signIn: StoredSignIn
    }
}

/// A lock that one process, and one owner within it, holds at a time; the system takes it from a process that dies.
final class FileLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// How long a refresh of another process may take.
    private static let timeout: Duration = .seconds(90)

    /// Does some work while nobody else does any that goes by the same path; the lock's own file lies beside it.
    static func exclusively<Result: Sendable>(
        _ path: String, _ clock: any ClientClock, _ work: @Sendable () async throws -> Result
    ) async throws -> Result {
        try PrivateFile.makeFolder(of: path)
        let lock = try FileLock(path + ".lock")
        let deadline = clock.uptime + timeout
        // The system lets nobody wait for a lock except by blocking a thread, with no way to stop that.
        while !(try lock.take()) {
            guard clock.uptime < deadline else {
                throw SignInFailure.storage("\(path): another process does not let go of it")
            }
            try await clock.sleep(for: .milliseconds(20))
        }
        defer { lock.release() }
        return try await work()
    }

    /// Opens the file of the lock, or makes it; nobody holds the lock yet.
    init(_ path: String) throws(SignInFailure) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw PrivateFile.failure(path) }
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// - Returns: whether it was free.
    func take() throws(SignInFailure) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        if errno == EWOULDBLOCK || errno == EINTR { return false }
        throw PrivateFile.failure(path)
    }

    func release() {
        _ = flock(descriptor, LOCK_UN)
    }
}
