internal import AlmanacFastCGI
internal import AlmanacHTTP
public import AlmanacMetrics
internal import Synchronization

extension Metric {
    static let httpRequestsWaiting = Metric(
        .gauge, "almanac_http_requests_waiting",
        "Requests that wait for other requests of their caller or kind; a waiting request holds no thread.")
}

/// The queue of requests in a server process, shared by its threads.
///
/// A waiting request holds no thread or database connection, and runs on the thread that ends the blocking work.
public final class RequestQueue: MetricSource, Sendable {
    typealias Queue = WorkQueue<WaitingRequest>

    /// The maximum number of threads that wait for the keys of identity providers.
    public let maxKeyWaits: Int
    /// The maximum number of threads that look up sessions, in a process for streams.
    public let maxSessionWaits: Int
    private let queue: Mutex<Queue>

    public init(_ settings: ServerSettings) {
        let limits = ConcurrencyLimits(threads: settings.threads, connections: settings.connections)
        maxKeyWaits = limits.maxKeyWaits
        maxSessionWaits = limits.maxPerProcess(.session)
        queue = Mutex(WorkQueue(limits))
    }

    /// - Parameter request: Must not be used by the caller after it was queued, because any thread may continue it.
    func admit(_ lane: Queue.Lane, _ request: WaitingRequest) -> Queue.Admission {
        queue.withLock { $0.admit(lane, request) }
    }

    /// Ends the work of a request and returns the request that the calling thread must continue with.
    func end(_ lane: Queue.Lane) -> (lane: Queue.Lane, ticket: WaitingRequest)? { queue.withLock { $0.end(lane) } }

    public func write(to exposition: inout Exposition) {
        exposition.add(.httpRequestsWaiting, [], Double(queue.withLock(\.waiting)))
    }
}

/// A queued request on its connection, with parameters that have been read.
struct WaitingRequest: Sendable {
    let parameters: Parameters
    let connection: FastCGIConnection
    let record: RequestRecord

    /// The maximum wait of a request, in nanoseconds. The web server waits longer for a response.
    static let maxWaitNanoseconds = 10_000_000_000
}
