internal import AlmanacEnvironments
public import AlmanacFastCGI
public import AlmanacHTTP
internal import AlmanacPostgreSQL
internal import AlmanacResponseStreams

/// Turns FastCGI requests into HTTP ones for the endpoints, and their responses back; one for each thread.
public final class Gateway<Service: EnvironmentService, Context> {
    private let registry: Registry<Service>
    private let router: Router<Context>
    private let observation: Observation
    private let context: (Service) -> Context
    private var view = Registry<Service>.View()
    private let meter: RequestMeter
    private let memory: RequestMemory

    /// The most parameters that a request may have: its header fields, and those that nginx adds.
    private static var mostParameters: Int { 256 }

    /// - Parameters:
    ///   - observation: counts and logs the requests.
    ///   - context: what the endpoints get to work with, made anew for each request.
    public init(
        registry: Registry<Service>, router: Router<Context>, observation: Observation,
        context: @escaping (Service) -> Context
    ) {
        self.registry = registry
        self.router = router
        self.observation = observation
        self.context = context
        meter = RequestMeter(observation)
        memory = RequestMemory(of: observation.memory)
    }

    /// Answers requests until the listener has none any more.
    public func serve(_ listener: Listener) {
        var next = listener.accept()
        while let connection = next {
            let isDetached = serve(connection, of: listener)
            next = listener.accept(after: isDetached ? nil : connection)
        }
    }

    /// Answers the request on a connection.
    ///
    /// - Returns: whether the connection was given to a stream.
    private func serve(_ connection: FastCGIConnection, of listener: Listener) -> Bool {
        guard let parameters = connection.nextRequest() else {
            if let reason = connection.refusal { observation.refusals.write("connection refused", reason) }
            return false
        }
        guard let begin = respond(to: parameters, on: connection) else { return false }
        if let stream = listener.detach(connection) { begin(stream) }
        return true
    }

    /// Answers one request.
    ///
    /// - Returns: begins the response's stream, when it is one and its header has been sent.
    private func respond(
        to parameters: Parameters, on connection: FastCGIConnection
    ) -> (@Sendable (ResponseStream) -> Void)? {
        let method = parameters["REQUEST_METHOD"] ?? ""
        var record = RequestRecord(method: method, id: parameters["REQUEST_ID"] ?? "")
        meter.begin()
        let response = response(to: parameters, method, on: connection, &record)
        let begin = send(response, to: method, on: connection, &record)
        memory.end()
        record.end()
        meter.end(record)
        observation.log.write(record)
        return begin
    }

    private func send(
        _ response: Response, to method: String, on connection: FastCGIConnection, _ record: inout RequestRecord
    ) -> (@Sendable (ResponseStream) -> Void)? {
        if case .pieces(let write) = response.body, method != "HEAD" {
            send(response, in: write, on: connection, &record)
            return nil
        }
        guard connection.write(response.headerBlock), method != "HEAD" else { return nil }
        switch response.body {
        case .bytes(let bytes):
            connection.write(bytes)
            return nil
        case .pieces:
            return nil
        case .stream(let begin):
            return begin
        }
    }

    /// Sends a response piece by piece, its header with the first one.
    private func send(
        _ response: Response, in write: (_ send: ([UInt8]) throws(ClientGone) -> Void) throws -> Void,
        on connection: FastCGIConnection, _ record: inout RequestRecord
    ) {
        var hasBegun = false
        do {
            try write { piece throws(ClientGone) in
                let isSent = (hasBegun || connection.write(response.headerBlock)) && connection.write(piece)
                hasBegun = true
                guard isSent else { throw ClientGone() }
            }
        } catch {
            let problem = problem(error, &record)
            if hasBegun {
                connection.abort()
            } else {
                _ = send(problem.response(requestID: record.id), to: "", on: connection, &record)
            }
        }
    }

    private func response(
        to parameters: Parameters, _ method: String, on connection: FastCGIConnection, _ record: inout RequestRecord
    ) -> Response {
        var response: Response
        do {
            response = try self.response(
                to: request(parameters, method: method, id: record.id, connection), &record)
        } catch {
            response = problem(error, &record).response(requestID: record.id)
        }
        record.status = response.status
        if let origin = parameters.field("Origin") { allow(origin, method, parameters, &response) }
        return response
    }

    /// The problem that an error is answered with.
    private func problem(_ error: any Error, _ record: inout RequestRecord) -> Problem {
        let problem = Problem(translating: error)
        // Nobody sees it, and nobody has to.
        if error is ClientGone { return problem }
        record.problem = problem.kind.rawValue
        record.status = problem.kind.status
        // A problem that an endpoint chose is an answer like any other; one that it did not foresee is for the
        // operator.
        if problem.kind.status >= 500, !(error is Problem || error is any ProblemRepresentable) {
            record.reason = "\(error)"
        }
        return problem
    }

    private func request(
        _ parameters: Parameters, method: String, id: String, _ connection: FastCGIConnection
    ) throws(Problem) -> Request {
        guard parameters.count <= Self.mostParameters else {
            throw Problem(
                .invalidHeader,
                "the request has \(parameters.count) header fields; at most \(Self.mostParameters) are taken")
        }
        let length = parameters["CONTENT_LENGTH"] ?? ""
        return Request(
            method: method, target: try parameters.target, headers: Headers { parameters.field($0) }, id: id,
            body: Body(
                length: length.isEmpty ? 0 : Int(length), isAbandoned: { connection.isAbandoned },
                read: { connection.readBody(count: $0) }), memory: memory)
    }

    private func response(to request: Request, _ record: inout RequestRecord) throws -> Response {
        let segments = request.target.segments
        if segments.first == "-" {
            record.route = HealthEndpoints.pattern(of: segments)
            return try HealthEndpoints.respond(to: request, registry, observation)
        }
        guard let service = service(of: segments) else {
            throw Problem(
                .environmentNotFound, "the path must begin with the name of an environment that this host serves")
        }
        record.environment = segments[0]
        if request.method == "OPTIONS" {
            let methods = router.methods(at: segments)
            if !methods.isEmpty {
                return Response(status: 204, headers: [("Allow", methods.joined(separator: ", "))])
            }
        }
        let (route, captures) = try router.route(request)
        record.route = route.pattern
        return try route.answer(request, captures, context(service))
    }

    private func service(of segments: [String]) -> Service? {
        guard let first = segments.first, let name = EnvironmentName(first) else { return nil }
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

extension Parameters {
    /// The target of the request, with the environment in front.
    fileprivate var target: Target {
        get throws(Problem) {
            let environment = self["ALMANAC_ENVIRONMENT"] ?? ""
            return try Target(self["REQUEST_URI"] ?? "", environment: environment.isEmpty ? nil : environment)
        }
    }
}

extension Response {
    /// The header block in CGI form (RFC 3875 §6.2).
    fileprivate var headerBlock: [UInt8] {
        var block = FieldLines([("Status", statusText)])
        block += headers
        if status != 304, status != 204, case .bytes(let bytes) = body {
            block.append(("Content-Length", String(bytes.count)))
        }
        return block.bytes + "\r\n".utf8
    }
}

extension Problem {
    /// The problem that a client gets for any error that ended its request.
    fileprivate init(translating error: any Error) {
        switch error {
        case let problem as Problem:
            self = problem
        case let refusal as any ProblemRepresentable:
            self = refusal.problem
        case PostgresFailure.lost:
            self.init(
                .databaseAway,
                "the connection to the database was lost; a change may have been made: read before you repeat it",
                headers: [("Retry-After", "1")])
        case let failure as PostgresFailure where failure.isRetryable:
            self.init(
                .databaseAway, "the database cannot be used right now; nothing was changed: try again",
                headers: [("Retry-After", "1")])
        default:
            self.init(.internalError, "the request failed; the log tells why, under this request's id")
        }
    }
}

extension PostgresFailure {
    /// Whether the same request may well succeed a moment later.
    fileprivate var isRetryable: Bool {
        switch self {
        case .busy: true
        case .refused(let error): isAway || error.state.isTransient
        default: isAway
        }
    }
}
