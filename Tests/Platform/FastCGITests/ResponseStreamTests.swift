import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

@testable import AlmanacResponseStreams

@Suite struct ResponseStreamTests {
    private let application: StreamApplication

    init() throws { application = try StreamApplication() }

    /// Sends a request and reads the header of the response. Returns both ends of the response.
    private func open(_ exchange: WebServerRequest = WebServerRequest()) throws -> (WebServerConnection, ResponseStream)
    {
        let connection = try application.connect()
        try connection.send(exchange.bytes)
        let answer = try #require(application.answer())
        let header = try connection.record()
        #expect(header.type == Record.output && header.id == exchange.id)
        #expect(header.content == StreamApplication.header)
        return (connection, answer)
    }

    @Test(arguments: [1, 65_535, 65_536, 200_000] as [Int])
    func `bytes of any number arrive as records of the request`(count: Int) throws {
        let (connection, answer) = try open(WebServerRequest(id: 300))
        let writer = AlmanacPOSIX.Thread(name: "writer") {
            var unsent = (answer.records(pattern(count)) + answer.end)[...]
            while case .partial(let left) = answer.send(unsent) { unsent = unsent.suffix(left) }
        }
        let received = try connection.answer(to: 300)
        #expect(received.output == pattern(count))
        #expect(received.status == 0)
        #expect(received.protocolStatus == 0)
        #expect(writer.wait(upTo: .seconds(10)))
    }

    @Test func `no bytes are no record, which would end the answer`() throws {
        let (_, answer) = try open()
        #expect(answer.records([]) == [])
    }

    @Test func `the part that does not fit is left to be sent when there is room`() throws {
        let (connection, answer) = try open()
        let watch = try ResponseStreamWatch(stop: try Event())
        try watch.watch(answer, number: 7)
        let all = answer.records(pattern(3_000_000))
        guard case .partial(let left) = answer.send(all[...]) else {
            Issue.record("a socket took 3 MB that nobody reads")
            return
        }
        #expect(left < all.count)
        #expect(answer.send(all.suffix(left)) == .partial(unsent: left))
        let changes = Monitor<[ResponseStreamWatch.Change]>([])
        let waits = Monitor(false)
        let writer = AlmanacPOSIX.Thread(name: "writer") { [left] in
            var unsent = (all.suffix(left) + answer.end)[...]
            while case .partial(let left) = answer.send(unsent) {
                unsent = unsent.suffix(left)
                waits.update { $0 = true }
                let more = watch.wait(upTo: .seconds(10))
                if more.isEmpty { return }
                changes.update { $0 += more }
            }
        }
        // Reading begins when the writer has found the buffer full, so that it waits at least once.
        #expect(waits.wait(upTo: .seconds(10)) { $0 ? true : nil } ?? false)
        #expect(try connection.answer().output == pattern(3_000_000))
        #expect(writer.wait(upTo: .seconds(10)))
        #expect(Set(changes.read { $0 }.map(\.number)) == [7] && changes.read { $0 }.allSatisfy { !$0.isGone })
    }

    @Test func `a web server that has gone is noticed at once, and by sending`() throws {
        let watch = try ResponseStreamWatch(stop: try Event())
        let answer = try {
            let (connection, answer) = try open()
            try watch.watch(answer, number: 9)
            // The watch reports free space only once.
            _ = watch.wait(upTo: .seconds(20))
            withExtendedLifetime(connection) {}
            return answer
        }()
        #expect(watch.wait(upTo: .seconds(20)) == [.init(number: 9, isGone: true)])
        #expect(answer.send(answer.records([65])[...]) == .gone)
    }

    @Test func `one that had gone before it was watched is reported too`() throws {
        let watch = try ResponseStreamWatch(stop: try Event())
        let answer = try { try open().1 }()
        try watch.watch(answer, number: 3)
        #expect(watch.wait(upTo: .seconds(20)) == [.init(number: 3, isGone: true)])
    }

    @Test func `waiting ends with the time, or at once when it is told to stop`() throws {
        let stop = try Event()
        let watch = try ResponseStreamWatch(stop: stop)
        #expect(watch.wait(upTo: .milliseconds(10)) == [])
        stop.set()
        let start = ContinuousClock.now
        #expect(watch.wait(upTo: .seconds(20)) == [])
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func `a body that nobody asked for does not break the answer`() throws {
        let connection = try {
            let (connection, answer) = try open(WebServerRequest(body: pattern(300_000)))
            _ = answer.send((answer.records([65]) + answer.end)[...])
            return connection
        }()
        #expect(try connection.answer().text == "A")
        // An orderly end differs from a reset, which would throw another error.
        #expect(throws: WebServerConnection.Ended.self) { try connection.record() }
    }

    @Test func `an answer that is let go of closes the connection, and no other`() throws {
        let (first, answer) = try open()
        let (second, other) = try open()
        let socket = try Self.inode(of: answer.descriptor)
        #expect(try Self.descriptors(of: socket) == 1)
        _ = consume answer
        #expect(try first.isClosed())
        #expect(try Self.descriptors(of: socket) == 0)
        #expect(other.send((other.records([65]) + other.end)[...]) == .all)
        #expect(try second.answer().text == "A")
    }

    @Test func `the listener does not serve a connection any more that it has given away`() throws {
        let (connection, answer) = try open()
        try connection.send(WebServerRequest(id: 2).bytes)
        #expect(application.answer(within: .milliseconds(200)) == nil)
        #expect(answer.send((answer.records([65]) + answer.end)[...]) == .all)
        #expect(try connection.answer().text == "A")
    }

    @Test func `an answer goes on when the listener has stopped`() throws {
        let (connection, answer) = try open()
        #expect(application.end())
        #expect(answer.send((answer.records([65]) + answer.end)[...]) == .all)
        #expect(try connection.answer().text == "A")
    }

    @Test func `hundreds are opened and ended beside each other`() throws {
        let application = application
        let ended = try concurrently(4) { _ in
            for number in 0..<100 {
                let id = UInt16(number + 1)
                let connection = try application.connect()
                try connection.send(WebServerRequest(id: id).bytes)
                guard let answer = application.answer() else { throw WebServerConnection.Ended() }
                // A thread may receive another thread's response, so each ends one and waits for the response to its
                // own request.
                _ = answer.send(answer.end[...])
                guard try connection.answer(to: id).output == StreamApplication.header else {
                    throw WebServerConnection.Ended()
                }
            }
            return 100
        }
        #expect(ended == [100, 100, 100, 100])
    }

    private static func inode(of descriptor: Int32) throws -> UInt64 {
        var status = stat()
        if unsafe fstat(descriptor, &status) < 0 { throw SystemFailure.last }
        return UInt64(status.st_ino)
    }

    /// Returns the number of this process's descriptors that refer to a socket.
    private static func descriptors(of inode: UInt64) throws -> Int {
        try Command.run("sh", ["-c", "ls -l /proc/\(getpid())/fd"]).output
            .split(separator: "\n").count { $0.hasSuffix("socket:[\(inode)]") }
    }
}
