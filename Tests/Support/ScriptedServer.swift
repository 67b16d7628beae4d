internal import AlmanacPOSIX

/// A server on this machine that answers with arbitrary bytes, to test how a client handles broken responses.
///
/// The server stops when the last reference to the object is released.
public final class ScriptedServer: Sendable {
    /// The server's response to a request.
    public enum Answer: Sendable {
        /// Sends the bytes and closes the connection.
        case bytes([UInt8])
        /// Sends nothing and leaves the connection open.
        case silence

        public static func response(
            _ status: String = "200 OK", headers: [String] = [], body: some Sequence<UInt8> = [UInt8]()
        ) -> Answer {
            let body = Array(body)
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)", "Connection: close"] + headers
            return .bytes(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        }
    }

    /// Scheme, host and port.
    public var base: String { "http://127.0.0.1:\(server.port)" }
    public var port: UInt16 { server.port }
    private let server: LoopbackServer
    private let received = Monitor<[String]>([])

    /// - Parameter answer: receives the path of a request.
    public init(_ answer: @escaping @Sendable (String) -> Answer) throws {
        let received = received
        server = try LoopbackServer { connection in
            let message = String(decoding: connection.message() ?? [], as: UTF8.self)
            received.update { $0.append(message) }
            switch answer(Self.path(requestedIn: message)) {
            case .bytes(let bytes): connection.send(bytes)
            case .silence: connection.waitForEnd()
            }
        }
    }

    /// The requested paths so far, in order.
    public var requests: [String] { messages.map(Self.path) }

    /// The complete requests so far, head and body, in order.
    public var messages: [String] { received.read { $0 } }

    private static func path(requestedIn message: String) -> String {
        let words = message.split(separator: " ", maxSplits: 2)
        return words.count == 3 ? String(words[1]) : ""
    }
}
