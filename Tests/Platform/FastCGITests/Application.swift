import AlmanacFastCGI
import AlmanacPOSIX
import AlmanacTestSupport

/// A FastCGI application on a Unix socket, with request threads like a worker's.
final class Application: Sendable {
    let path: String
    let stop: Event
    private let folder: TemporaryFolder
    private let threads: [AlmanacPOSIX.Thread]

    /// - Parameter handler: responds to a request.
    init(
        threads count: Int = 2,
        _ handler: @escaping @Sendable (Parameters, FastCGIConnection) -> Void = Application.echo
    ) throws {
        folder = try TemporaryFolder()
        path = "\(folder.path)/socket"
        let stop = try Event()
        self.stop = stop
        let listener = try Listener(.address(path), stop: stop)
        threads = (0..<count).map { index in
            AlmanacPOSIX.Thread(name: "request-\(index)") {
                var connection = listener.accept()
                while let held = connection {
                    if let parameters = held.nextRequest() { handler(parameters, held) }
                    connection = listener.accept(after: held)
                }
            }
        }
    }

    deinit {
        stop.set()
        for thread in threads { thread.wait(upTo: .seconds(10)) }
    }

    /// Stops the application. Returns true if all threads end within the limit.
    func end(within limit: Duration = .seconds(10)) -> Bool {
        stop.set()
        return threads.allSatisfy { $0.wait(upTo: limit) }
    }

    func connect() throws -> WebServerConnection { try WebServerConnection(path: path) }

    /// Responds with one line per parameter, an empty line, and the body.
    static let echo: @Sendable (Parameters, FastCGIConnection) -> Void = { parameters, connection in
        let lines = parameters.pairs.map { "\($0.name)=\($0.value)\n" }.joined()
        guard let body = connection.readBody(count: Int(parameters["CONTENT_LENGTH"] ?? "0") ?? 0) else {
            connection.write(Array("incomplete".utf8))
            return
        }
        connection.write(Array((lines + "\n").utf8))
        connection.write(body)
    }
}

/// Returns bytes of every value in an order that does not repeat with a record's size, so that misplaced bytes are
/// found.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }
