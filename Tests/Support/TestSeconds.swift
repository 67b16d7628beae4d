internal import AlmanacPOSIX
internal import Foundation
internal import Testing

/// The seconds that tests take once they run. Swift Testing begins all of a run at once, and counts their wait for a
/// thread too.
enum TestSeconds {
    /// `ALMANAC_TEST_SECONDS` names it.
    private static let file = AlmanacPOSIX.Process.variable("ALMANAC_TEST_SECONDS").flatMap {
        FileHandle(forWritingAtPath: $0)
    }

    /// Runs a case of a test, and adds a line to the file: the seconds, a tab, the test's file and name.
    static func measure(_ test: Test, _ body: @concurrent () async throws -> Void) async throws {
        let began = ContinuousClock.now
        defer {
            let seconds = (ContinuousClock.now - began) / .seconds(1)
            file?.write(Data("\(seconds)\t\(test.sourceLocation.fileID) \(test.name)\n".utf8))
        }
        try await body()
    }
}
