import AlmanacFastCGI
import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

@Suite struct StopTests {
    @Test func `threads that wait for connections end`() throws {
        let application = try Application(threads: 4)
        #expect(application.end())
    }

    @Test func `nothing is accepted once the event is set`() throws {
        let folder = try TemporaryFolder()
        let stop = try Event()
        let listener = try Listener(.address("\(folder.path)/s"), stop: stop)
        let connection = try WebServerConnection(path: "\(folder.path)/s")
        stop.set()
        #expect(listener.accept() == nil)
        withExtendedLifetime(connection) {}
    }

    @Test func `an idle kept connection is closed`() throws {
        let application = try Application(threads: 1)
        let connection = try application.connect()
        #expect(try connection.fetch(WebServerRequest(body: [65])).text.hasSuffix("\nA"))
        application.stop.set()
        #expect(try connection.isClosed())
        #expect(application.end())
    }

    @Test func `a connection that never asked anything is closed`() throws {
        let application = try Application(threads: 1)
        let silent = try application.connect()
        // The application accepts connections in order, so a response on a later one shows that the silent one was
        // accepted.
        #expect(try application.connect().fetch(WebServerRequest(body: [65])).text.hasSuffix("\nA"))
        application.stop.set()
        #expect(try silent.isClosed())
        #expect(application.end())
    }

    @Test func `a connection that was accepted before still gets its first request answered`() throws {
        let application = try Application(threads: 2)
        let new = try application.connect()
        #expect(try application.connect().fetch(WebServerRequest(body: [65])).text.hasSuffix("\nA"))
        // The threads wait for that request and end after it.
        #expect(!application.end(within: .milliseconds(100)))
        #expect(try new.fetch(WebServerRequest(body: [66])).text.hasSuffix("\nB"))
        #expect(try new.isClosed())
        #expect(application.end())
    }

    @Test func `a request in flight still gets its answer, and then the connection is closed`() throws {
        let (begun, released) = (PassedNumber(), PassedNumber())
        let application = try Application(threads: 1) { parameters, connection in
            begun.set(1)
            connection.write([UInt8(released.wait() ?? 0)])
        }
        let connection = try application.connect()
        try connection.send(WebServerRequest(body: pattern(100_000)).bytes)
        #expect(begun.wait() == 1)
        application.stop.set()
        released.set(65)
        #expect(try connection.answer().text == "A")
        #expect(try connection.isClosed())
        #expect(application.end())
    }
}
