/// Does some work, and cancels it when the time is over.
///
/// - Throws: ``ConfigFailure/timedOut`` when the time was over first.
func withDeadline<Result: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw ConfigFailure.timedOut
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw ConfigFailure.timedOut }
        return first
    }
}
