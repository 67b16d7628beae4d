import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

@Suite struct ThreadTests {
    @Test func `a thread can be waited for by several and again`() throws {
        let gate = Monitor(false)
        let thread = AlmanacPOSIX.Thread(name: "gate") { _ = gate.wait { $0 ? true : nil } }
        #expect(!thread.wait(upTo: .milliseconds(20)))
        gate.update { $0 = true }
        #expect(try concurrently(3) { _ in thread.wait(upTo: .seconds(10)) } == [true, true, true])
        #expect(thread.wait(upTo: .zero))
    }

    @Test func `a thread's work is seen by the thread that waited for it`() throws {
        final class Box: @unchecked Sendable {
            // Safe because it is read only after the thread that writes it has ended.
            var value = 0
        }
        let box = Box()
        let thread = AlmanacPOSIX.Thread(name: "writer") { box.value = 42 }
        try #require(thread.wait(upTo: .seconds(10)))
        #expect(box.value == 42)
    }

    @Test(arguments: [("request-7", "request-7"), ("a name of too many bytes", "a name of too m"), ("", "")])
    func `a thread carries its name, cut to what the system keeps`(name: String, expected: String) throws {
        let own = Monitor<String?>(nil)
        let thread = AlmanacPOSIX.Thread(name: name) {
            let bytes = try? File.read("/proc/thread-self/comm")
            own.update { $0 = bytes.map { String(decoding: $0.dropLast(), as: UTF8.self) } }
        }
        #expect(thread.wait(upTo: .seconds(10)))
        #expect(own.read { $0 } == expected)
    }

    @Test func `a thread whose handle is lost runs on`() {
        let done = Monitor(false)
        _ = AlmanacPOSIX.Thread(name: "lost") { done.update { $0 = true } }
        #expect(done.wait(upTo: .seconds(10)) { $0 ? true : nil } == true)
    }

    @Test func `what only a thread held is freed when it has been waited for`() {
        final class Held: Sendable {
            let isFreed: Monitor<Bool>
            init(_ isFreed: Monitor<Bool>) { self.isFreed = isFreed }
            deinit {
                // A thread that is woken too early reads the flag before this delay ends.
                usleep(50_000)
                isFreed.update { $0 = true }
            }
        }
        let isFreed = Monitor(false)
        func start() -> AlmanacPOSIX.Thread {
            let held = Held(isFreed)
            return AlmanacPOSIX.Thread(name: "holder") { withExtendedLifetime(held) {} }
        }
        #expect(start().wait(upTo: .seconds(10)))
        #expect(isFreed.read { $0 })
    }
}
