internal import AlmanacEnvironments
public import AlmanacFastCGI
public import AlmanacHTTP
internal import AlmanacPOSIX

/// A translator of FastCGI requests into HTTP requests for the endpoints, and of responses back. Each thread has one.
public final class Gateway<Service: EnvironmentService, Context> {
    private let registry: Registry<Service>
    private let router: Router<Context>
    private let observation: Observation
    private let queue: RequestQueue
    private let directory: Router<[Service]>
    private let context: (Service) -> Context
    private let shape: ProblemShape
    private var view = Registry<Service>.View()
    private let meter: RequestMeter
    private let memory: RequestMemory

    /// A function that adapts a problem to the path of its request, whose first segment is the environment.
    public typealias ProblemShape = (_ problem: Problem, _ path: [String]) -> Problem

    /// - Parameters:
    ///   - observation: Counts and logs the requests.
    ///   - queue: Shared by all threads.
    ///   - directory: The calls about all environments, whose paths name none.
    ///   - shape: By default, leaves problems unchanged.
    ///   - context: Makes the context of the endpoints, once per request.
    public init(
        registry: Registry<Service>, router: Router<Context>, observation: Observation, queue: RequestQueue,
        directory: Router<[Service]> = Router([]), shape: @escaping ProblemShape = { problem, _ in problem },
        context: @escaping (Service) -> Context
    ) {
        self.registry = registry
        self.router = router
        self.observation = observation
        self.queue = queue
        self.directory = directory
        self.context = context
        self.shape = shape
        meter = RequestMeter(observation)
        memory = RequestMemory(of: observation.memory)
    }

    /// Answers requests until the listener ends.
    public func serve(_ listener: Listener) {
        var next = listener.accept()
        while let connection = next {
            next = listener.accept(after: serve(connection, of: listener))
        }
    }

    /// Answers the request on a connection, and then the queued requests that may begin when the work is done.
    ///
    /// - Returns: The connection that the thread still holds; nil if it went to a stream or the request was queued.
    private func serve(_ connection: FastCGIConnection, of listener: Listener) -> FastCGIConnection? {
        guard let parameters = connection.nextRequest() else {
            if let reason = connection.refusal { observation.refusals.write("connection refused", reason) }
            return connection
        }
        let method = parameters["REQUEST_METHOD"] ?? ""
        let record = RequestRecord(method: method, id: parameters["REQUEST_ID"] ?? "")
        var request = WaitingRequest(parameters: parameters, connection: connection, record: record)
        var lane: RequestQueue.Queue.Lane?
        while true {
            guard let begin = respond(to: request, &lane) else { return nil }
            var held: FastCGIConnection? = request.connection
            if case .stream(let begin) = begin {
                held = nil
                if let stream = listener.detach(request.connection) { begin(stream) }
            }
            guard let ended = lane, let next = queue.end(ended) else { return held }
            if let held { listener.release(held) }
            (lane, request) = next
        }
    }

    /// Answers one request.
    ///
    /// - Parameter lane: The request's lane in the queue, set if the request enters one.
    /// - Returns: nil if the request was queued; another thread may already have taken it.
    private func respond(to request: WaitingRequest, _ lane: inout RequestQueue.Queue.Lane?) -> SendingOutcome? {
        let record = request.record
        record.begin()
        if lane != nil, request.connection.isAbandoned { return .answered }
        meter.begin()
        let method = record.method
        defer { memory.end() }
        guard let response = response(to: request, method, record, &lane) else {
            meter.wait()
            return nil
        }
        let outcome = request.connection.send(response, to: method, record)
        record.end()
        meter.end(record)
        observation.log.write(record)
        return outcome
    }

    private func response(
        to waiting: WaitingRequest, _ method: String, _ record: RequestRecord,
        _ lane: inout RequestQueue.Queue.Lane?
    ) -> Response? {
        let parameters = waiting.parameters
        var response: Response
        do {
            let request = try Request(parameters, record, on: waiting.connection, memory: memory)
            guard let answer = try self.response(to: request, on: waiting, record, &lane) else { return nil }
            response = answer
        } catch {
            response = shape(record.recordProblem(of: error), parameters.path).response(requestID: record.id)
        }
        record.status = response.status
        if let origin = parameters.field("Origin") { allow(origin, method, parameters, &response) }
        return response
    }

    /// - Returns: nil if the request was queued, after which it must not be used any more.
    private func response(
        to request: Request, on waiting: WaitingRequest, _ record: RequestRecord,
        _ lane: inout RequestQueue.Queue.Lane?
    ) throws -> Response? {
        let segments = request.target.segments
        if segments.first == "-" {
            record.route = HealthEndpoints.pattern(of: segments)
            return try HealthEndpoints.respond(to: request, registry, observation)
        }
        if directory.has(segments) {
            return try response(to: request, on: waiting, record, &lane, directory, registry.all, in: segments[0])
        }
        guard let service = service(of: segments) else {
            throw missing(segments, record)
        }
        record.environment = segments[0]
        if request.method == "OPTIONS" {
            let methods = router.methods(at: segments)
            if !methods.isEmpty {
                return Response(status: 204, headers: [("Allow", methods.joined(separator: ", "))])
            }
        }
        return try response(to: request, on: waiting, record, &lane, router, context(service), in: segments[0])
    }

    /// - Parameter place: The first segment of the path, an environment or not, whose work has limits of its own.
    /// - Returns: nil if the request was queued, after which it must not be used any more.
    private func response<RouteContext>(
        to request: Request, on waiting: WaitingRequest, _ record: RequestRecord,
        _ lane: inout RequestQueue.Queue.Lane?, _ router: Router<RouteContext>,
        _ context: @autoclosure () -> RouteContext,
        in place: String
    ) throws -> Response? {
        let (route, captures) = try router.route(request)
        record.route = route.pattern
        let context = context()
        if lane != nil {
            try checkWait(record)
        } else if let claim = try route.claim(of: request, context) {
            let newLane = RequestQueue.Queue.Lane(environment: place, claim: claim)
            guard try admit(newLane, waiting) else { return nil }
            lane = newLane
            RunnableThreads.makeWay()
        }
        return try route.answer(request, captures, context)
    }

    /// Returns true if a request may begin now. If not, the request is queued and belongs to the thread that takes it.
    private func admit(_ lane: RequestQueue.Queue.Lane, _ waiting: WaitingRequest) throws(Problem) -> Bool {
        switch queue.admit(lane, waiting) {
        case .begins: return true
        case .waits: return false
        case .callerHasTooMany where [.config, .notes, .pieces].contains(lane.claim.kind):
            throw Problem(
                .tooManyRequests, "too many of your requests are waiting; send the next request after some responses",
                headers: [("Retry-After", "1")])
        case .callerHasTooMany, .full:
            throw Problem(.overloaded, "too many requests are waiting; try again", headers: [("Retry-After", "1")])
        }
    }

    /// Refuses a request that was queued for so long that the client may have given up.
    private func checkWait(_ record: RequestRecord) throws(Problem) {
        guard MonotonicClock.nanoseconds - record.arrival > WaitingRequest.maxWaitNanoseconds else { return }
        throw Problem(
            .overloaded, "the request waited too long in the queue; nothing was done, try again",
            headers: [("Retry-After", "1")])
    }

    /// Returns the problem for a path without a service.
    private func missing(_ segments: [String], _ record: RequestRecord) -> Problem {
        guard let name = segments.first.flatMap({ EnvironmentName($0) }), registry.isPending(name, &view) else {
            return Problem(
                .environmentNotFound, "the path must begin with the name of an environment that this host serves")
        }
        record.environment = name.text
        return Problem(
            .databaseAway, "this server has not reached the database since its start; try again",
            headers: [("Retry-After", "1")])
    }

    private func service(of segments: [String]) -> Service? {
        guard let name = segments.first else { return nil }
        return registry.environment(name, &view)
    }

    private func allow(_ origin: String, _ method: String, _ parameters: Parameters, _ response: inout Response) {
        guard let target = try? parameters.target, let service = service(of: target.segments) else { return }
        let asked = method == "OPTIONS" ? parameters.field("Access-Control-Request-Method") ?? method : method
        let namesToken =
            parameters.field("Authorization") != nil
            || parameters.field("Access-Control-Request-Headers")?.lowercased().contains("authorization") == true
        let policy = CORSPolicy(service.settings)
        response.headers += policy.headers(
            origin: origin, method: asked, path: target.segments, isPreflight: method == "OPTIONS",
            methods: router.methods(at: target.segments), isAuthorized: namesToken)
    }
}
