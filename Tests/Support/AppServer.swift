internal import AlmanacPOSIX

/// A server on this machine that talks to an app as a test wants: whole answers, endless ones, or streams.
///
/// A connection has one request. The server ends with the last reference to it.
public final class AppServer: Sendable {
    public struct Request: Sendable {
        public let method: String
        /// With the query.
        public let path: String
        /// By lower-case name.
        public let headers: [String: String]
        public let body: String
    }

    /// What the handler answers on.
    public struct Connection: Sendable {
        fileprivate let connection: LoopbackConnection

        /// - Returns: whether the other side still takes bytes.
        @discardableResult
        public func send(_ text: String) -> Bool { connection.send(text.utf8) }

        /// What is no text.
        public func send(bytes: [UInt8]) { connection.send(bytes) }

        /// A whole answer.
        public func answer(_ status: String = "200 OK", _ headers: [String] = [], _ body: String = "") {
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
            send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        }

        /// The head of an answer whose body ends with the connection.
        public func begin(_ headers: [String] = []) {
            send((["HTTP/1.1 200 OK", "Connection: close"] + headers).joined(separator: "\r\n") + "\r\n\r\n")
        }

        /// Blocks until the other side has closed.
        public func waitForClose() { connection.waitForClose() }
    }

    private let server: LoopbackServer
    private let seen = Monitor<[Request]>([])

    /// - Parameter handle: answers a request, on a thread of its own; the connection is closed when it returns.
    public init(_ handle: @escaping @Sendable (Request, Connection) -> Void) throws {
        let seen = seen
        server = try LoopbackServer { connection in
            guard let request = connection.message().flatMap(Request.init) else { return }
            seen.update { $0.append(request) }
            handle(request, Connection(connection: connection))
        }
    }

    /// The address of an environment.
    public var environment: String { "http://127.0.0.1:\(server.port)/test" }

    /// The requests so far, in order.
    public var requests: [Request] { seen.read { $0 } }
}

extension AppServer.Request {
    /// Nil when the message is no request.
    fileprivate init?(_ message: [UInt8]) {
        let parts = String(decoding: message, as: UTF8.self).split(separator: "\r\n\r\n", maxSplits: 1)
        let lines = parts.first?.split(separator: "\r\n") ?? []
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        let fields = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1) }.filter { $0.count == 2 }
        method = String(words[0])
        path = String(words[1])
        body = parts.count == 2 ? String(parts[1]) : ""
        headers = Dictionary(fields.map { ($0[0].lowercased(), String($0[1].drop { $0 == " " })) }) { $1 }
    }
}

extension AppServer {
    /// Waits until the requests are as they should be.
    public func waits(for condition: @Sendable ([Request]) -> Bool) async throws -> Bool {
        try await comesTrue { condition(requests) }
    }
}
