internal import Glibc
internal import POSIX

/// A server on this machine that answers with whatever bytes a test wants, to see what a client makes of broken ones.
///
/// It answers one request per connection, one connection after the other, and ends with the last reference to it.
public final class ScriptedServer: Sendable {
    /// What the server does with a request.
    public enum Answer: Sendable {
        /// Sends the bytes and closes the connection.
        case bytes([UInt8])
        /// Sends nothing and keeps the connection open.
        case silence

        /// A well-formed answer.
        public static func response(
            _ status: String = "200 OK", headers: [String] = [], body: some Sequence<UInt8> = [UInt8]()
        ) -> Answer {
            let body = Array(body)
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)", "Connection: close"] + headers
            return .bytes(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        }
    }

    public let port: UInt16
    /// Scheme, host and port.
    public var base: String { "http://127.0.0.1:\(port)" }
    private let listener: Int32
    private let stop: Event
    private let paths: Monitor<[String]>
    private let received: Monitor<[String]>

    /// - Parameter answer: is given the path of a request; called on the server's thread.
    public init(_ answer: @escaping @Sendable (String) -> Answer) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if listener < 0 { throw SystemFailure.last }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let code = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        if !code { throw SystemFailure.last }
        port = UInt16(bigEndian: address.sin_port)
        stop = try Event()
        paths = Monitor([])
        received = Monitor([])
        let (stop, paths, received) = (stop, paths, received)
        _ = POSIX.Thread(name: "scripted") {
            var open: [Int32] = []
            while Poll.readable([stop.descriptor, listener]) == listener {
                let connection = accept(listener, nil, nil)
                if connection < 0 { break }
                let message = Self.message(on: connection)
                received.update { $0.append(message) }
                let path = Self.path(requestedIn: message)
                paths.update { $0.append(path) }
                switch answer(path) {
                case .bytes(let bytes):
                    Self.send(bytes, on: connection)
                    close(connection)
                case .silence:
                    open.append(connection)
                }
            }
            for connection in open { close(connection) }
            close(listener)
        }
    }

    deinit {
        stop.set()
    }

    /// The paths that were asked for so far, in order.
    public var requests: [String] { paths.read { $0 } }

    /// The whole requests that came so far, head and body, in order.
    public var messages: [String] { received.read { $0 } }

    private static func message(on connection: Int32) -> String {
        var message: [UInt8] = []
        var length: Int?
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while message.count < length ?? .max {
            let count = unsafe recv(connection, &chunk, chunk.count, 0)
            if count <= 0 { break }
            message += chunk[..<count]
            length = length ?? wholeLength(ofMessageThatBegins: message)
        }
        return String(decoding: message, as: UTF8.self)
    }

    /// Nil while the head is not whole.
    private static func wholeLength(ofMessageThatBegins bytes: [UInt8]) -> Int? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let body = head.firstMatch(of: /(?i)\r\ncontent-length: *([0-9]+)/).flatMap { Int($0.output.1) }
        return end.upperBound + (body ?? 0)
    }

    private static func path(requestedIn message: String) -> String {
        let words = message.split(separator: " ", maxSplits: 2)
        return words.count == 3 ? String(words[1]) : ""
    }

    /// Sends as much as the client takes.
    private static func send(_ bytes: [UInt8], on connection: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(connection, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }
}
