internal import AlmanacPOSIX
internal import Glibc
public import Synchronization

/// Runs a closure several times in parallel, each on a thread of its own, and waits for all threads.
///
/// Put expectations on the results: Swift Testing cannot assign an issue on these threads to a test.
///
/// - Parameters:
///   - count: the number of threads.
///   - limit: the time limit for all threads together.
///   - body: receives the index of its thread, from 0.
/// - Returns: the results in the order of the indices.
/// - Throws: `ConcurrentFailure` if a thread threw an error or did not end in time.
public func concurrently<Result: Sendable>(
    _ count: Int, within limit: Duration = .seconds(120), _ body: @escaping @Sendable (Int) throws -> Result
) throws(ConcurrentFailure) -> [Result] {
    let outcomes = Monitor<[Int: Swift.Result<Result, any Error>]>([:])
    for index in 0..<count {
        _ = AlmanacPOSIX.Thread(name: "test \(index)") {
            let outcome = Swift.Result { try body(index) }
            outcomes.update { $0[index] = outcome }
        }
    }
    guard let all = outcomes.wait(upTo: limit, for: { $0.count == count ? $0 : nil }) else {
        let ended = outcomes.read { $0.count }
        throw ConcurrentFailure(count: count, errors: [], unfinished: count - ended)
    }
    var results: [Result] = []
    var errors: [any Error] = []
    for index in 0..<count {
        switch all[index]! {
        case .success(let result): results.append(result)
        case .failure(let error): errors.append(error)
        }
    }
    if !errors.isEmpty { throw ConcurrentFailure(count: count, errors: errors, unfinished: 0) }
    return results
}

/// Runs blocking work on a thread of its own, so that Swift's few threads stay free for asynchronous tests.
public func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        _ = AlmanacPOSIX.Thread(name: "blocking") { continuation.resume(with: Result { try work() }) }
    }
}

/// Polls a condition outside this process until it is true.
///
/// Use this only for other processes, which cannot notify a test of a change.
///
/// - Returns: `true` if the condition became true in time.
public func eventually(within limit: Duration = .seconds(20), _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
        if try condition() { return true }
        if ContinuousClock.now >= deadline { return false }
        usleep(20_000)
    }
}

/// Polls a condition until it is true, without blocking a thread of Swift's pool.
///
/// This is `eventually` for `async` tests: the pool has only one thread per core, which the tested code needs too.
///
/// - Returns: `true` if the condition became true in time.
public func eventuallyAsync(
    within limit: Duration = .seconds(60), _ condition: () throws -> Bool
) async throws -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
        if try condition() { return true }
        if ContinuousClock.now >= deadline { return false }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// A failure of some of the threads of `concurrently`.
public struct ConcurrentFailure: Error, Sendable, CustomStringConvertible {
    public let count: Int
    public let errors: [any Error]
    /// The number of threads that had not ended at the time limit.
    public let unfinished: Int

    public var description: String {
        if unfinished > 0 { return "\(unfinished) of \(count) threads did not end in time" }
        return "\(errors.count) of \(count) threads failed, the first with: \(errors[0])"
    }
}

extension Task where Success == Void, Failure == Never {
    /// Cancels the task and waits for its end.
    public func cancelAndWait() async {
        cancel()
        await value
    }
}

extension Mutex where Value == Int {
    /// Adds 1 and returns the sum.
    public func next() -> Int {
        withLock {
            $0 += 1
            return $0
        }
    }
}
