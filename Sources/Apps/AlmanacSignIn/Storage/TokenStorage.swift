/// Where a sign-in is kept. ``FileTokenStorage`` is one; tests and apps bring their own.
public protocol TokenStorage: Sendable {
    /// Reads what is kept; nil when nobody is signed in.
    func load() async throws -> StoredSignIn?

    /// Keeps a sign-in in place of an older one; it lies there safely when this returns. Nil removes it.
    func save(_ signIn: StoredSignIn?) async throws

    /// Does some work while nobody else does any such work on the same storage, neither here nor in another process.
    ///
    /// A refresh token is good for one use, so two that refresh at once would end the sign-in.
    func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result
}

extension TokenStorage {
    /// For storages that one process alone uses: a session does one refresh at a time as it is.
    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        try await work()
    }
}
