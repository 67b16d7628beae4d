extension ClientClock {
    /// Does some work, and cancels it when the time is over.
    ///
    /// - Throws: ``TransportFailure/timedOut`` when the time was over first.
    public func withTimeout<Result: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await self.sleep(for: limit)
                throw TransportFailure.timedOut
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw TransportFailure.timedOut }
            return first
        }
    }
}
