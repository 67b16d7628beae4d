public import AlmanacClientRuntime
internal import AlmanacPOSIX
internal import Foundation
internal import Glibc

/// A server on this machine that goes silent at one point of every exchange, and keeps the connection.
public final class StallingServer: Sendable {
    /// Where it goes silent.
    public enum Point: Sendable, CaseIterable {
        /// It takes no connection: the client's system goes on asking for one.
        case connecting
        /// It says nothing to a client that begins TLS.
        case handshake
        case beforeHead
        case inHead
        case inBody
        /// In an event of a stream.
        case inStream
    }

    /// Scheme, host and port.
    public let base: String
    private let server: LoopbackServer?
    private let full: FullListener?
    private let stalled = Monitor(0)

    public init(_ point: Point) throws {
        guard point != .connecting else {
            let listener = try FullListener()
            (server, full, base) = (nil, listener, "http://127.0.0.1:\(listener.port)")
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
        (self.server, full) = (server, nil)
        base = "\(point == .handshake ? "https" : "http")://127.0.0.1:\(server.port)"
    }

    /// Waits until so many exchanges have come to the silence.
    ///
    /// - Returns: whether they have.
    public func stalls(_ count: Int = 1) async throws -> Bool {
        try await comesTrue { try full.map { try $0.waiting } ?? stalled.read { $0 } >= count }
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

/// A port whose queue of connections is full, so that the system lets no further client in.
private final class FullListener: Sendable {
    let port: UInt16
    private let listener: Int32
    /// The queue of a length of 0 has room for one.
    private let only: LoopbackConnection

    init() throws {
        (listener, port) = try LoopbackServer.listen(backlog: 0)
        guard let only = LoopbackConnection.open(port: port) else { throw SystemFailure.last }
        self.only = only
    }

    /// How many clients wait to be let in.
    var waiting: Int {
        get throws {
            // The address of the other side, and the state of a connection that was asked for (SYN_SENT).
            let asking = Array(String(format: ":%04X 02 ", Int(port)).utf8)
            return try File.read("/proc/net/tcp", limit: 256 << 20).split(separator: UInt8(ascii: "\n")).count {
                $0.dropFirst(24).prefix(16).firstRange(of: asking) != nil
            }
        }
    }

    deinit {
        only.close()
        close(listener)
    }
}

/// How long a task takes to end once it is cancelled.
public func timeToEnd<Success>(_ task: Task<Success, Never>) async -> Duration {
    await ContinuousClock().measure {
        task.cancel()
        _ = await task.value
    }
}

/// A transport that waits for an hour where a server is silent, so that a test comes to its end only by being
/// cancelled. Only connecting has a limit of its own, which no caller can move.
public struct PatientTransport: ClientTransport {
    private let transport = AlmanacHTTPTransport()

    public init() {}

    public func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        var request = request
        request.silence = .seconds(3600)
        request.deadline = nil
        return try await transport.open(request)
    }
}
