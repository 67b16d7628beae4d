#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
#if canImport(Glibc)
    internal import Glibc
#endif

/// A token storage in a file that only its owner can read, for platforms without a keychain.
///
/// The file is replaced atomically. A lock file, whose name ends with `.lock`, remains beside it.
public struct FileTokenStorage: TokenStorage {
    /// The location of the file.
    public let file: URL
    private let clock: any ClientClock

    /// - Parameter file: the location. The first save creates the folder with access for its owner only.
    public init(file: URL, clock: any ClientClock = SystemClientClock()) {
        self.file = file
        self.clock = clock
    }

    private var path: String { file.path }

    /// - Throws: ``SignInFailure/storage(_:)`` if other users can read the file, or if the file has another format.
    public func load() async throws -> StoredSignIn? {
        guard let bytes = try PrivateFile.read(path) else { return nil }
        guard let form = try? JSONDecoder().decode(Form.self, from: Data(bytes)), form.version == 1 else {
            throw SignInFailure.storage("\(path): this is not a sign-in file; sign in again to replace it")
        }
        return form.signIn
    }

    /// Replaces or removes the file.
    public func save(_ signIn: StoredSignIn?) async throws {
        guard let signIn else { return try PrivateFile.remove(path) }
        try PrivateFile.makeFolder(of: path)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try PrivateFile.replace(path, Array(encoder.encode(Form(version: 1, signIn: signIn))))
    }

    /// Runs an operation under the file's lock, across processes. The wait for the lock is at most 90 s.
    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        try await FileLock.exclusively(path, clock, work)
    }

    private struct Form: Codable {
        let version: Int
        let signIn: StoredSignIn
    }
}

/// A lock with one owner at a time across processes. The system releases it if its process ends.
final class FileLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// The longest wait, long enough for another process's refresh.
    private static let timeout: Duration = .seconds(90)

    /// Runs an operation under the lock of a path. The lock file lies beside the path.
    static func exclusively<Result: Sendable>(
        _ path: String, _ clock: any ClientClock, _ work: @Sendable () async throws -> Result
    ) async throws -> Result {
        try PrivateFile.makeFolder(of: path)
        let lock = try FileLock(path + ".lock")
        let deadline = clock.uptime + timeout
        // The system's blocking wait for a lock cannot be cancelled, so poll.
        while !(try lock.tryAcquire()) {
            guard clock.uptime < deadline else {
                throw SignInFailure.storage(
                    "\(path): another process held the lock for too long; end that process or try again")
            }
            try await clock.sleep(for: .milliseconds(20))
        }
        defer { lock.release() }
        return try await work()
    }

    /// Opens or creates the lock file without locking it.
    init(_ path: String) throws(SignInFailure) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw PrivateFile.failure(path) }
    }

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    /// Acquires the lock without waiting. Returns false if another owner holds the lock.
    func tryAcquire() throws(SignInFailure) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        if errno == EWOULDBLOCK || errno == EINTR { return false }
        throw PrivateFile.failure(path)
    }

    func release() { _ = flock(descriptor, LOCK_UN) }
}
