internal import AlmanacPOSIX
internal import Foundation
internal import Testing

/// The running times of tests, in seconds. Swift Testing starts all tests of a run at once, so its own times include
/// the wait for a thread.
enum TestSeconds {
    /// The log file, whose path is in `ALMANAC_TEST_SECONDS`.
    private static let file = AlmanacPOSIX.Process.variable("ALMANAC_TEST_SECONDS").flatMap {
        FileHandle(forWritingAtPath: $0)
    }

    /// Runs a test case and appends a line to the file: seconds, tab, the test's file and name.
    static func measure(_ test: Test, _ body: @concurrent () async throws -> Void) async throws {
        let began = ContinuousClock.now
        defer {
            let seconds = (ContinuousClock.now - began) / .seconds(1)
            file?.write(Data("\(seconds)\t\(test.sourceLocation.fileID) \(test.name)\n".utf8))
        }
        try await body()
    }
}
