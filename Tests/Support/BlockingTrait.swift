internal import AlmanacPOSIX
internal import Foundation
public import Testing

/// Runs tests that block a thread on a separate thread pool.
///
/// Swift's pool has one thread per core and is shared by all tests. A test that blocks one of its threads, or computes
/// for seconds, starves the asynchronous tests that run at the same time, which then miss their deadlines.
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
    /// The trait of tests that wait for programs, servers or compilers, or compute for seconds.
    public static var blocking: Self { BlockingTrait() }
}

/// A thread pool for tests that may block. Its size is the size of Swift's pool.
final class BlockingExecutor: TaskExecutor {
    /// The pool that all tests of a run share.
    static let shared = BlockingExecutor()

    private let jobs = Monitor<[UnownedJob]>([])

    private init() {
        for number in 0..<max(2, ProcessInfo.processInfo.activeProcessorCount) {
            _ = AlmanacPOSIX.Thread(name: "blocking \(number)") {
                while let job = self.jobs.wait(wakesOthers: false, for: { $0.isEmpty ? nil : $0.removeFirst() }) {
                    // Safe because one thread removes each job from the list, and runs that job once.
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
