public import AlmanacClientRuntime
internal import AlmanacPOSIX
internal import Foundation
internal import Glibc

/// A server on this machine that stops responding at a given point of every exchange, with the connection left open.
public final class StallingServer: Sendable {
    /// The point at which the server stops responding.
    public enum Point: Sendable, CaseIterable {
        /// The server accepts no connection, so the client's system repeats its request.
        case connecting
        /// The server sends nothing to a client that starts TLS.
        case handshake
        case beforeHead
        case inHead
        case inBody
        /// The server stops within an event of a stream.
        case inStream
    }

    public let base: String
    private let server: LoopbackServer?
    private let fullListener: FullListener?
    private let stalled = Monitor(0)

    public init(_ point: Point) throws {
        guard point != .connecting else {
            let listener = try FullListener()
            (server, fullListener, base) = (nil, listener, "http://127.0.0.1:\(listener.port)")
            return
        }
        let stalled = stalled
        let server = try LoopbackServer { connection in
            if point == .handshake {
                stalled.update { $0 += 1 }
                return connection.waitForClose()
            }
            guard connection.message() != nil else { return }
            connection.send(point.beginning.utf8)
            stalled.update { $0 += 1 }
            connection.waitForClose()
        }
        (self.server, fullListener) = (server, nil)
        base = "\(point == .handshake ? "https" : "http")://127.0.0.1:\(server.port)"
    }

    /// Waits until a number of exchanges have stalled.
    ///
    /// - Returns: `true` if they stalled in time.
    public func stalls(_ count: Int = 1) async throws -> Bool {
        try await eventuallyAsync { try fullListener.map { try $0.waiting } ?? stalled.read { $0 } >= count }
    }
}

extension StallingServer.Point {
    fileprivate var beginning: String {
        switch self {
        case .connecting, .handshake, .beforeHead: ""
        case .inHead: "HTTP/1.1 200 OK\r\nContent-Type: appl"
        case .inBody: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{\"cursor\":"
        case .inStream: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\"type\":"
        }
    }
}

/// A port whose accept queue is full, so that the system accepts no further client.
private final class FullListener: Sendable {
    let port: UInt16
    private let listener: Int32
    /// The connection that fills the queue: a backlog of 0 leaves room for one.
    private let queuedConnection: LoopbackConnection

    init() throws {
        (listener, port) = try LoopbackServer.listen(backlog: 0)
        guard let queuedConnection = LoopbackConnection.open(port: port) else { throw SystemFailure.last }
        self.queuedConnection = queuedConnection
    }

    /// The number of clients that wait to be accepted.
    var waiting: Int {
        get throws {
            // The pattern is the remote port and the state of a requested connection (SYN_SENT).
            let asking = Array(String(format: ":%04X 02 ", Int(port)).utf8)
            return try File.read("/proc/net/tcp", limit: 256 << 20).split(separator: UInt8(ascii: "\n")).count {
                $0.dropFirst(24).prefix(16).firstRange(of: asking) != nil
            }
        }
    }

    deinit {
        queuedConnection.close()
        close(listener)
    }
}

/// Cancels a task and returns the time until it ends.
public func timeToEnd<Success>(_ task: Task<Success, Never>) async -> Duration {
    await ContinuousClock().measure {
        task.cancel()
        _ = await task.value
    }
}

/// A transport that waits an hour for a silent server, so that only cancellation ends a test in time. Connecting has a
/// separate limit, which a caller cannot change.
public struct UnlimitedTransport: ClientTransport {
    private let transport = AlmanacHTTPTransport()

    public init() {}

    public func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        var request = request
        request.idleTimeout = .seconds(3600)
        request.timeout = nil
        return try await transport.open(request)
    }
}
