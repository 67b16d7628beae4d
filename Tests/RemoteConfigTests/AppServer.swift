import Glibc
import POSIX
import Support

/// A server on this machine that talks to an app as a test wants: whole answers, endless ones, or streams.
///
/// Each connection has a thread and one request. It ends with the last reference to it.
final class AppServer: Sendable {
    struct Request: Sendable {
        /// With the query.
        let path: String
        /// By lower-case name.
        let headers: [String: String]
    }

    /// What the handler answers on.
    struct Connection: Sendable {
        fileprivate let descriptor: Int32

        /// - Returns: whether the other side still takes bytes.
        @discardableResult
        func send(_ text: String) -> Bool {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes {
                    unsafe Glibc.send(descriptor, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        /// A whole answer.
        func answer(_ status: String = "200 OK", _ headers: [String] = [], _ body: String = "") {
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
            send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        }

        /// The head of an answer whose body ends with the connection.
        func begin(_ headers: [String] = []) {
            send((["HTTP/1.1 200 OK", "Connection: close"] + headers).joined(separator: "\r\n") + "\r\n\r\n")
        }

        /// The config as Almanac answers it.
        func config(_ cursor: String, _ body: String, _ headers: [String] = [], version: String = "1.0.0") {
            let revision = cursor.prefix { $0 != "." }
            let own = ["Almanac-Cursor: \(cursor)", "Almanac-Revision: \(revision)", "Almanac-Version: \(version)"]
            answer("200 OK", own + ["Content-Type: application/json"] + headers, body)
        }

        /// Blocks until the other side has closed.
        func waitForClose() {
            var byte: UInt8 = 0
            while unsafe recv(descriptor, &byte, 1, 0) > 0 {}
        }
    }

    let port: UInt16
    private let stop: Event
    private let seen = Monitor<[Request]>([])

    /// - Parameter handle: answers a request, on a thread of its own; the connection is closed when it returns.
    init(_ handle: @escaping @Sendable (Request, Connection) -> Void) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if listener < 0 { throw SystemFailure.last }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        if !isReady { throw SystemFailure.last }
        port = UInt16(bigEndian: address.sin_port)
        stop = try Event()
        let (stop, seen) = (stop, seen)
        _ = POSIX.Thread(name: "app server") {
            while Poll.readable([stop.descriptor, listener]) == listener {
                let descriptor = accept(listener, nil, nil)
                if descriptor < 0 { break }
                _ = POSIX.Thread(name: "app connection") {
                    if let request = Self.request(on: descriptor) {
                        seen.update { $0.append(request) }
                        handle(request, Connection(descriptor: descriptor))
                    }
                    close(descriptor)
                }
            }
            close(listener)
        }
    }

    deinit {
        stop.set()
    }

    /// The address of an environment.
    var environment: String { "http://127.0.0.1:\(port)/test" }

    /// The requests so far, in order.
    var requests: [Request] { seen.read { $0 } }

    private static func request(on descriptor: Int32) -> Request? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            if count <= 0 { return nil }
            bytes += chunk[..<count]
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        let fields = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1) }.filter { $0.count == 2 }
        let headers = fields.map { ($0[0].lowercased(), $0[1].drop { $0 == " " }) }
        return Request(path: String(words[1]), headers: Dictionary(headers.map { ($0, String($1)) }) { $1 })
    }
}

extension AppServer {
    /// Waits until the requests are as they should be.
    func waits(for condition: @Sendable ([Request]) -> Bool) async throws -> Bool {
        try await comesTrue { condition(requests) }
    }
}
