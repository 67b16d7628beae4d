import AlmanacPOSIX
import Glibc

/// A web server's connection to a FastCGI application.
final class WebServerConnection {
    private let descriptor: Int32
    private var unread: [UInt8] = []

    struct Ended: Error, CustomStringConvertible {
        var description: String { "the connection ended before the answer did" }
    }

    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { throw SystemFailure.last }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let code = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if code != 0 {
            let failure = SystemFailure.last
            close(descriptor)
            throw failure
        }
        // A timeout turns a hanging test into a failing test.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws {
        var unsent = bytes[...]
        while !unsent.isEmpty {
            let count = unsafe unsent.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 { throw SystemFailure.last }
            unsent = unsent.dropFirst(count)
        }
    }

    /// Closes the sending side of the connection.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Sends a request and waits for its response.
    func fetch(_ exchange: WebServerRequest) throws -> FastCGIResponse {
        try send(exchange.bytes)
        return try answer(to: exchange.id)
    }

    /// Reads records until the end of a request.
    func answer(to id: UInt16 = 1) throws -> FastCGIResponse {
        var answer = FastCGIResponse()
        while true {
            let record = try record()
            guard record.id == id else { continue }
            switch record.type {
            case Record.output: answer.output += record.content
            case Record.errors: answer.errors += record.content
            case Record.end:
                answer.status = record.content.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
                answer.protocolStatus = record.content[4]
                return answer
            default: break
            }
        }
    }

    /// Waits until bytes arrive or the connection ends.
    func awaitBytes() throws {
        if Poll.readable([descriptor], upTo: .seconds(20)) == nil { throw SystemFailure(code: ETIMEDOUT) }
    }

    /// Returns true if the application closes the connection. Bytes before the end are discarded.
    func isClosed() throws -> Bool {
        do {
            while true { _ = try record() }
        } catch is Ended {
            return true
        } catch let failure as SystemFailure where failure.code == ECONNRESET {
            return true
        }
    }

    func record() throws -> Record {
        let header = try read(8)
        let content = try read(Int(header[4]) << 8 | Int(header[5]))
        _ = try read(Int(header[6]))
        return Record(
            version: header[0], type: header[1], id: UInt16(header[2]) << 8 | UInt16(header[3]), content: content,
            padding: header[6])
    }

    private func read(_ count: Int) throws -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while unread.count < count {
            let received = unsafe recv(descriptor, &chunk, chunk.count, 0)
            if received < 0 { throw SystemFailure.last }
            if received == 0 { throw Ended() }
            unread += chunk[..<received]
        }
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }
}
