/// What carries requests to the server and brings back answers.
///
/// ``NotesHTTPTransport`` is one. A test or an app with needs of its own brings another.
public protocol NotesTransport: Sendable {
    /// Sends a request and gives the whole answer, whatever its status.
    ///
    /// - Throws: anything when no whole answer came. Whether the server has seen the request is then not known, and the
    ///   same actions are sent again.
    func send(_ request: NotesRequest) async throws -> NotesAnswer

    /// Sends a request whose answer goes on and on, and gives its status and its bytes as they come.
    ///
    /// The bytes end, or throw, when the connection does. Cancelling the task that reads them closes it.
    func open(_ request: NotesRequest) async throws -> NotesStream
}

/// A request below the address of an environment.
public struct NotesRequest: Sendable {
    public var method: String
    /// What follows the environment, without a slash before it: `notes`.
    public var path: String
    public var query: [(name: String, value: String)]
    public var headers: [(name: String, value: String)]
    /// JSON.
    public var body: [UInt8]?
    /// How long nothing may come back; for streams, how long until they begin.
    public var timeout: Duration

    public init(
        _ method: String, _ path: String, query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [], body: [UInt8]? = nil, timeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

public struct NotesAnswer: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of a header, whose name may be written in upper or lower case.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}

/// An answer that goes on.
public struct NotesStream: Sendable {
    public var status: Int
    public var bytes: AsyncThrowingStream<[UInt8], any Error>

    public init(status: Int, bytes: AsyncThrowingStream<[UInt8], any Error>) {
        self.status = status
        self.bytes = bytes
    }
}
