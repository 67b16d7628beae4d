/// A persistent storage for a sign-in. ``FileTokenStorage`` is one; tests and apps supply others.
public protocol TokenStorage: Sendable {
    /// Returns the stored sign-in; nil if there is none.
    func load() async throws -> StoredSignIn?

    /// Stores a sign-in durably before returning. Nil removes the stored sign-in.
    func save(_ signIn: StoredSignIn?) async throws

    /// Runs an operation while no other caller, in any process, runs one on the same storage.
    ///
    /// A refresh token is valid once, so two concurrent refreshes would end the sign-in.
    func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result
}

extension TokenStorage {
    /// Runs an operation without a lock, for a storage of one process, whose session runs one refresh at a time.
    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        try await work()
    }
}
