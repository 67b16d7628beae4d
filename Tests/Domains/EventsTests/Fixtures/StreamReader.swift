import AlmanacJSON
import AlmanacPOSIX
import AlmanacResponseStreams
import AlmanacTestSupport
import Glibc

/// The web server's side of an open response, which parses the events sent.
final class StreamReader {
    /// The other side, for the code under test, or nil once it was handed over.
    private(set) var answer: ResponseStream?
    private let descriptor: Int32
    private var chunk = [UInt8](repeating: 0, count: 65_536)
    private var unread: [UInt8] = []
    private var parser = StrictEventParser()
    private var events: [SentEvent] = []
    private var seen = 0
    /// True if the response was ended by the protocol.
    private(set) var isComplete = false
    /// True if the connection was closed.
    private(set) var isClosed = false

    /// - Parameter buffer: the approximate number of bytes in flight; nil is the system's default.
    init(buffer: Int32? = nil) throws {
        var ends: [Int32] = [0, 0]
        if unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) < 0 {
            throw SystemFailure.last
        }
        if var buffer {
            unsafe setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
        }
        descriptor = ends[0]
        answer = ResponseStream(takingOwnership: ends[1], request: 1)
    }

    deinit { leave() }

    func take() -> ResponseStream {
        defer { answer = nil }
        return answer!
    }

    /// Closes the connection without notice.
    func leave() {
        if !isClosed { close(descriptor) }
        isClosed = true
    }

    /// Reads the available bytes, and waits for the first ones up to the limit.
    func read(upTo limit: Duration = .zero, bytes: Int = 65_536) throws {
        guard !isClosed, limit == .zero || Poll.readable([descriptor], upTo: limit) != nil else { return }
        while true {
            let count = unsafe recv(descriptor, &chunk, min(bytes, chunk.count), Int32(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN { return }
            if count < 0, errno != ECONNRESET { throw SystemFailure.last }
            if count <= 0 {
                leave()
                return
            }
            unread += chunk[..<count]
            try takeRecords()
            if bytes < 65_536 { return }
        }
    }

    private func takeRecords() throws {
        while unread.count >= 8 {
            let length = Int(unread[4]) << 8 | Int(unread[5])
            guard unread.count >= 8 + length else { return }
            let type = unread[1]
            if type == 6 { events += try parser.parse(unread[8..<8 + length]) }
            if type == 3 { isComplete = true }
            unread.removeFirst(8 + length)
        }
    }

    /// The events so far, including those that `next` returned.
    var all: [SentEvent] { events }

    /// Returns the next unread event, or nil if the limit passes first.
    func next(within limit: Duration = .seconds(10)) throws -> SentEvent? {
        let deadline = ContinuousClock.now + limit
        while seen == events.count, !isClosed, ContinuousClock.now < deadline {
            try read(upTo: max(.milliseconds(1), deadline - .now))
        }
        guard seen < events.count else { return nil }
        seen += 1
        return events[seen - 1]
    }

    /// Returns the next event of a type and skips the events before it.
    func next(_ type: String, within limit: Duration = .seconds(10)) throws -> SentEvent? {
        let deadline = ContinuousClock.now + limit
        while let event = try next(within: max(.zero, deadline - .now)) {
            if event.type == type { return event }
        }
        return nil
    }

    /// Returns true if the response ends and the connection closes within the limit.
    func ends(within limit: Duration = .seconds(10)) throws -> Bool {
        let deadline = ContinuousClock.now + limit
        while !isClosed, ContinuousClock.now < deadline { try read(upTo: max(.milliseconds(1), deadline - .now)) }
        return isClosed && isComplete
    }
}
