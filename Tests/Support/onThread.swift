internal import AlmanacPOSIX

/// Runs blocking work on a thread of its own, so that Swift's few threads stay free for asynchronous tests.
public func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        _ = AlmanacPOSIX.Thread(name: "blocking") { continuation.resume(with: Result { try work() }) }
    }
}
