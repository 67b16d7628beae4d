internal import AlmanacPOSIX

/// Blocks the calling thread until asynchronous work on Swift's own threads has finished.
func blockUntilDone<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Monitor<Result<Value, any Error>?>(nil)
    Task {
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        outcome.update { $0 = result }
    }
    guard let result = outcome.wait(for: { $0 }) else { preconditionFailure("waiting without a limit has an end") }
    return try result.get()
}
