internal import AlmanacFastCGI
internal import AlmanacHTTP
public import AlmanacMetrics
internal import Synchronization

extension Metric {
    static let httpRequestsWaiting = Metric(
        .gauge, "almanac_http_requests_waiting",
        "Requests that wait until others of their caller or kind are done; they hold no thread.")
}

/// The queue of requests in a server process, shared by its threads.
///
/// A waiting request holds no thread or database connection, and runs on the thread that ends the blocking work.
public final class RequestTurns: MetricSource, Sendable {
    typealias Queue = WorkQueue<WaitingRequest>

    /// The maximum number of threads that wait for the keys of identity providers.
    public let keyWaits: Int
    /// The maximum number of threads that look up sessions, in a process for streams.
    public let sessionWaits: Int
    private let queue: Mutex<Queue>

    public init(_ settings: ServerSettings) {
        let shares = WorkShares(threads: settings.threads, connections: settings.connections)
        keyWaits = shares.keyWaits
        sessionWaits = shares.inProcess(.session)
        queue = Mutex(WorkQueue(shares))
    }

    /// - Parameter request: Must not be used by the caller after it was queued, because any thread may continue it.
    func admit(_ caller: Queue.Caller, _ request: WaitingRequest) -> Queue.Admission {
        queue.withLock { $0.admit(caller, request) }
    }

    /// Ends the work of a request and returns the request that the calling thread must continue with.
    func end(_ caller: Queue.Caller) -> (caller: Queue.Caller, ticket: WaitingRequest)? {
        queue.withLock { $0.end(caller) }
    }

    public func write(to exposition: inout Exposition) {
        exposition.add(.httpRequestsWaiting, [], Double(queue.withLock(\.waiting)))
    }
}

/// A request with parameters that have been read, which waits for its turn on its connection.
struct WaitingRequest: Sendable {
    let parameters: Parameters
    let connection: FastCGIConnection
    let record: RequestRecord

    /// The maximum wait of a request, in nanoseconds. The web server waits longer for a response.
    static let longest = 10_000_000_000
}
