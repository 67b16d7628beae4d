import AlmanacHTTPSClient
import AlmanacPOSIX
import AlmanacTestSupport
import AlmanacTransport
import Glibc
import Synchronization
import Testing

/// Ends a process while a transport is active.
@Suite struct ExitTests {
    private static let status = Mutex(0)

    @Test func `transfers go on while the process ends`() async {
        await #expect(processExitsWith: .exitCode(200)) {
            // Exit handlers run in reverse order, so this one runs after any that a library registers for itself.
            atexit {
                let isOver = try! Event()
                Task {
                    await ExitTests.ask()
                    isOver.set()
                }
                _ = isOver.wait(upTo: .seconds(20))
                _exit(Int32(ExitTests.status.withLock { $0 }))
            }
            await ExitTests.ask()
            exit(1)
        }
    }

    /// Sends a request over a new connection and stores the status.
    private static func ask() async {
        status.withLock { $0 = 0 }
        guard let instance = try? Instance.current() else { return }
        let request = TransportRequest("GET", "\(instance.url)/development/config")
        guard let answer = try? await LibcurlTransport(caFile: instance.caFile).send(request) else { return }
        status.withLock { $0 = answer.status }
    }
}
