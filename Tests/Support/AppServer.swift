internal import AlmanacPOSIX

/// A server on this machine that sends an app any response a test needs: complete, endless, or a stream.
///
/// Each connection carries one request. The server stops when the last reference to the object is released.
public final class AppServer: Sendable {
    public struct Request: Sendable {
        public let method: String
        /// The path with the query.
        public let path: String
        /// Header values by lower-case name.
        public let headers: [String: String]
        public let body: String
    }

    /// The connection that a handler sends its response on.
    public struct Connection: Sendable {
        fileprivate let connection: LoopbackConnection

        /// - Returns: `true` if the client still accepts bytes.
        @discardableResult public func send(_ text: String) -> Bool { connection.send(text.utf8) }

        /// Sends bytes that are not valid text.
        public func send(bytes: [UInt8]) { connection.send(bytes) }

        public func answer(_ status: String = "200 OK", _ headers: [String] = [], _ body: String = "") {
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
            send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        }

        /// Sends the head of a response whose body ends when the connection closes.
        public func begin(_ headers: [String] = []) {
            send((["HTTP/1.1 200 OK", "Connection: close"] + headers).joined(separator: "\r\n") + "\r\n\r\n")
        }

        public func waitForClose() { connection.waitForClose() }
    }

    private let server: LoopbackServer
    private let seen = Monitor<[Request]>([])

    /// - Parameter handle: responds to a request on a thread of its own. The connection closes when the closure
    ///   returns.
    public init(_ handle: @escaping @Sendable (Request, Connection) -> Void) throws {
        let seen = seen
        server = try LoopbackServer { connection in
            guard let request = connection.message().flatMap(Request.init) else { return }
            seen.update { $0.append(request) }
            handle(request, Connection(connection: connection))
        }
    }

    /// The URL of an environment.
    public var environment: String { "http://127.0.0.1:\(server.port)/test" }

    public var requests: [Request] { seen.read { $0 } }
}

extension AppServer.Request {
    /// Parses a request. Returns nil if the message is not one.
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
    /// Waits until the received requests fulfil the condition.
    public func waits(for condition: @Sendable ([Request]) -> Bool) async throws -> Bool {
        try await eventuallyAsync { condition(requests) }
    }
}
