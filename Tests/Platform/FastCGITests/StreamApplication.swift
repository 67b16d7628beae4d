import AlmanacFastCGI
import AlmanacPOSIX
import AlmanacResponseStreams
import AlmanacTestSupport

/// A FastCGI application that sends only the header of each response and stores the open responses.
final class StreamApplication: Sendable {
    static let header = Array("Status: 200 OK\r\n\r\n".utf8)

    private let folder: TemporaryFolder
    private let stop: Event
    private let answers = Monitor<[ResponseStream]>([])
    private let thread: AlmanacPOSIX.Thread
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = "\(folder.path)/socket"
        let stop = try Event()
        self.stop = stop
        let listener = try Listener(.address(path), stop: stop)
        thread = AlmanacPOSIX.Thread(name: "request") { [answers] in
            var connection = listener.accept()
            while let held = connection {
                guard held.nextRequest() != nil, held.write(Self.header) else {
                    connection = listener.accept(after: held)
                    continue
                }
                // The separate block releases the thread's reference to the response before the thread waits.
                do { if let answer = listener.detach(held) { answers.update { $0.append(answer) } } }
                connection = listener.accept()
            }
        }
    }

    deinit { _ = end() }

    /// Stops the application. Returns true if its thread ends in time.
    func end() -> Bool {
        stop.set()
        return thread.wait(upTo: .seconds(10))
    }

    func connect() throws -> WebServerConnection { try WebServerConnection(path: path) }

    /// Removes and returns the oldest stored response, or returns nil after the limit.
    func answer(within limit: Duration = .seconds(10)) -> ResponseStream? {
        answers.wait(upTo: limit) { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
