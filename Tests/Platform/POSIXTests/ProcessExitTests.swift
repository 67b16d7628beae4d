import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

/// Tests that affect the whole process, so each runs in a separate one.
@Suite struct ProcessExitTests {
    @Test func `a variable that is empty counts as not set`() async {
        await #expect(processExitsWith: .success) {
            let name = "ALMANAC_TEST_OF_VARIABLES"
            precondition(AlmanacPOSIX.Process.variable(name) == nil)
            unsafe setenv(name, "", 1)
            precondition(AlmanacPOSIX.Process.variable(name) == nil)
            unsafe setenv(name, "a b=c", 1)
            precondition(AlmanacPOSIX.Process.variable(name) == "a b=c")
        }
    }

    @Test func `a process ends with the status it is given`() async {
        await #expect(processExitsWith: .exitCode(7)) { AlmanacPOSIX.Process.end(status: 7) }
    }

    @Test func `a process ends without tearing down what its threads may still use`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            atexit { _exit(9) }
            AlmanacPOSIX.Process.end(status: 7)
        }
    }

    @Test func `lines of several threads come out whole`() async throws {
        let outcome = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            // The output fits into a pipe's buffer, so that writing does not wait for a reader.
            _ = try concurrently(4) { index in
                for _ in 0..<100 { AlmanacPOSIX.Process.report(String(repeating: "\(index)", count: 100)) }
            }
        }
        let errors = String(decoding: try #require(outcome).standardErrorContent, as: UTF8.self)
        let lines = errors.split(separator: "\n").filter { $0.utf8.count >= 100 }
        #expect(lines.count == 400)
        #expect(lines.allSatisfy { $0.utf8.count == 100 && Set($0.utf8).count == 1 })
    }

    @Test func `signals are taken one by one by who waits for them`() async {
        await #expect(processExitsWith: .success) {
            Signal.takeOver()
            for (number, expected) in [(SIGHUP, Signal.reload), (SIGTERM, .terminate), (SIGINT, .terminate)] {
                // The signal goes to this thread, because the test runner's other threads do not block signals.
                raise(number)
                precondition(Signal.next() == expected)
            }
            // The pipe has no reader any more.
            var ends: [Int32] = [0, 0]
            precondition(unsafe pipe(&ends) == 0)
            close(ends[0])
            precondition(unsafe write(ends[1], "x", 1) == -1 && errno == EPIPE)
        }
    }
}
