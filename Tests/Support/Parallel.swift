internal import AlmanacPOSIX
internal import Glibc

/// Runs a closure several times at once, each on a thread of its own, and waits for all.
///
/// Expectations belong on what it returns: on these threads nobody knows which test an issue belongs to.
///
/// - Parameters:
///   - count: the number of threads.
///   - limit: how long all of them may take.
///   - body: is given the index of its thread, from 0.
/// - Returns: the results in the order of the indices.
/// - Throws: `ConcurrentFailure` when one of them threw or did not end in time.
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

/// Looks at something outside this process again and again until it is as it should be.
///
/// For what can be waited for, wait instead; this is for other processes, which tell nobody when they change.
///
/// - Returns: whether it came true in time.
public func eventually(
    within limit: Duration = .seconds(20), _ condition: () throws -> Bool
) rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
        if try condition() { return true }
        if ContinuousClock.now >= deadline { return false }
        usleep(20_000)
    }
}

/// Looks at something again and again until it is as it should be, without holding up a thread of Swift's pool.
///
/// As `eventually`, for tests that are `async`: the pool has a thread per core, which what they test needs as well.
///
/// - Returns: whether it came true in time.
public func comesTrue(
    within limit: Duration = .seconds(60), _ condition: () throws -> Bool
) async throws -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
        if try condition() { return true }
        if ContinuousClock.now >= deadline { return false }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Some of the threads of `concurrently` failed.
public struct ConcurrentFailure: Error, Sendable, CustomStringConvertible {
    /// How many threads there were.
    public let count: Int
    /// The errors, in the order of the threads.
    public let errors: [any Error]
    /// How many had not ended when the time was over.
    public let unfinished: Int

    public var description: String {
        if unfinished > 0 { return "\(unfinished) of \(count) threads did not end in time" }
        return "\(errors.count) of \(count) threads failed, the first with: \(errors[0])"
    }
}
