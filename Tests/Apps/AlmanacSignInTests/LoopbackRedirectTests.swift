import AlmanacPOSIX
import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacSignIn

@Suite struct LoopbackRedirectTests {
    @Test func `strangers get nothing, and the answer ends the waiting`() async throws {
        let loopback = try LoopbackRedirect()
        #expect(loopback.address.wholeMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\/callback/) != nil)
        let base = String(loopback.address.dropLast("/callback".count))
        async let callback = loopback.callback(within: .seconds(60)) { $0.query == "state=mine&code=c%2B1" }
        for (path, status) in [
            ("/favicon.ico", 404), ("/", 404), ("/callback", 400), ("/callback?state=other&code=c", 400),
            ("/callbacks?state=mine&code=c%2B1", 404), ("/callback?state=mine&code=c%2B1", 200),
        ] {
            #expect(try await Browser.open(try #require(URL(string: base + path))) == status)
        }
        #expect(try await callback.absoluteString == loopback.address + "?state=mine&code=c%2B1")
    }

    @Test func `a connection that says nothing, and one that says too much, hold up nobody`() async throws {
        let loopback = try LoopbackRedirect()
        let port = try #require(URL(string: loopback.address)?.port)
        let waiting = Task { try await loopback.callback(within: .seconds(60)) { _ in true } }
        // Open an idle connection and one with an endless header. bash does not wait for responses.
        let script = """
            exec 3<>/dev/tcp/127.0.0.1/\(port) 4<>/dev/tcp/127.0.0.1/\(port)
            head -c 20000 /dev/zero | tr '\\0' 'a' >&4 || true
            echo ready; sleep 60
            """
        let strangers = try BackgroundCommand("bash", ["-c", script])
        try await onThread { try #require(eventually { strangers.outputBytes.starts(with: "ready".utf8) }) }
        #expect(try await Browser.open(try #require(URL(string: loopback.address + "?a=b"))) == 200)
        #expect(try await waiting.value.query == "a=b")
        strangers.kill()
    }

    @Test func `nobody comes in time`() async throws {
        let loopback = try LoopbackRedirect()
        await #expect(throws: SignInFailure.timedOut) {
            try await loopback.callback(within: .milliseconds(50)) { _ in true }
        }
    }

    @Test func `waiting can be cancelled`() async throws {
        let loopback = try LoopbackRedirect()
        let waiting = Task { try await loopback.callback(within: .seconds(600)) { _ in true } }
        waiting.cancel()
        await #expect(throws: SignInFailure.cancelled) { try await waiting.value }
    }

    @Test func `a port that is taken is told`() async throws {
        let loopback = try LoopbackRedirect()
        let port = try #require(URL(string: loopback.address)?.port)
        #expect(throws: SignInFailure.self) { try LoopbackRedirect(port: UInt16(port)) }
    }
}
