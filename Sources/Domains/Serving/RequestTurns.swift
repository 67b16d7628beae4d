internal import AlmanacFastCGI
internal import AlmanacHTTP
public import AlmanacMetrics
internal import Synchronization

extension Metric {
    static let httpRequestsWaiting = Metric(
        .gauge, "almanac_http_requests_waiting",
        "Requests that wait until others of their caller or kind are done; they hold no thread.")
}

/// The turns that requests take in a server process, shared by its threads.
///
/// A request that has to wait holds neither a thread nor a connection to the database. The thread that ends the work
/// which was in its way goes on with it.
public final class RequestTurns: MetricSource, Sendable {
    typealias Queue = WorkQueue<WaitingRequest>

    /// How many threads may wait for the keys of identity providers.
    public let keyWaits: Int
    /// How many threads of a process for streams may look for sessions.
    public let sessionWaits: Int
    private let queue: Mutex<Queue>

    public init(_ settings: ServerSettings) {
        let shares = WorkShares(threads: settings.threads, connections: settings.connections)
        keyWaits = shares.keyWaits
        sessionWaits = shares.inProcess(.session)
        queue = Mutex(WorkQueue(shares))
    }

    /// - Parameter request: nobody else's until its turn comes, on whatever thread.
    func admit(_ caller: Queue.Caller, _ request: WaitingRequest) -> Queue.Admission {
        queue.withLock { $0.admit(caller, request) }
    }

    /// Ends the work of a request.
    ///
    /// - Returns: the one that the calling thread goes on with.
    func end(_ caller: Queue.Caller) -> (caller: Queue.Caller, ticket: WaitingRequest)? {
        queue.withLock { $0.end(caller) }
    }

    public func write(to exposition: inout Exposition) {
        exposition.add(.httpRequestsWaiting, [], Double(queue.withLock(\.waiting)))
    }
}

/// A request whose parameters have been read, and which waits for its turn on its connection.
struct WaitingRequest: Sendable {
    let parameters: Parameters
    let connection: FastCGIConnection
    let record: RequestRecord

    /// The longest that a request may wait, in nanoseconds: then the web server still waits for an answer.
    static let longest = 10_000_000_000
}
