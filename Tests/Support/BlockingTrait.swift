internal import AlmanacPOSIX
internal import Foundation
public import Testing

/// Runs tests that block threads on threads of their own.
///
/// Swift's pool has a thread per core, and Swift Testing takes them for whatever test is next. One that waits there for
/// a database or a program, or computes for seconds, keeps the pool from asynchronous tests that run at the same time,
/// which then run into their limits.
public struct BlockingTrait: TestTrait, SuiteTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            try await TestSeconds.measure(test) { try await function() }
        }
    }
}

extension Trait where Self == BlockingTrait {
    /// For tests that wait for programs, for servers, or for compilers, or compute for seconds.
    public static var blocking: Self { BlockingTrait() }
}

/// As many threads as tests get from Swift's pool, for those that may block.
final class BlockingExecutor: TaskExecutor {
    /// There is one in a run, as there is one pool.
    static let shared = BlockingExecutor()

    private let jobs = Monitor<[UnownedJob]>([])

    private init() {
        for number in 0..<max(2, ProcessInfo.processInfo.activeProcessorCount) {
            _ = AlmanacPOSIX.Thread(name: "blocking \(number)") {
                while let job = self.jobs.wait(wakesOthers: false, for: { $0.isEmpty ? nil : $0.removeFirst() }) {
                    // Safe because each job is taken out of the list by one thread, and run there once.
                    unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
                }
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.update { $0.append(job) }
    }
}
