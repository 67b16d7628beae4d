internal import AlmanacEnvironments
public import AlmanacFastCGI
public import AlmanacHTTP

/// Turns FastCGI requests into HTTP ones for the endpoints, and their answers back; one for each thread.
public final class Gateway<Service: EnvironmentService, Context> {
    private let registry: Registry<Service>
    private let router: Router<Context>
    private let observation: Observation
    private let context: (Service) -> Context
    private var view = Registry<Service>.View()
    private let tally: RequestTally

    /// - Parameters:
    ///   - observation: what is counted and logged here.
    ///   - context: what the endpoints get to work with, made anew for each request.
    public init(
        registry: Registry<Service>, router: Router<Context>, observation: Observation,
        context: @escaping (Service) -> Context
    ) {
        self.registry = registry
        self.router = router
        self.observation = observation
        self.context = context
        tally = RequestTally(observation)
    }

    /// Answers one request.
    ///
    /// - Returns: the context of the endpoint that answered; nil when none did, or when the answer could not be sent.
    @discardableResult
    public func serve(_ parameters: Parameters, on connection: Connection) -> Context? {
        let method = parameters["REQUEST_METHOD"] ?? ""
        var record = RequestRecord(method: method, id: parameters["REQUEST_ID"] ?? "")
        tally.begin()
        let context = answer(parameters, method, on: connection, &record)
        record.end()
        tally.end(record)
        observation.log.write(record)
        return context
    }

    private func answer(
        _ parameters: Parameters, _ method: String, on connection: Connection, _ record: inout RequestRecord
    ) -> Context? {
        var response: Response
        var context: Context?
        do {
            (response, context) = try respond(
                to: request(parameters, method: method, id: record.id, connection), &record)
        } catch {
            let problem = Problem(translating: error)
            record.problem = problem.kind.rawValue
            // A problem that an endpoint chose is an answer like any other; what it did not foresee is for the operator.
            if problem.kind.status >= 500, !(error is Problem || error is any ProblemRepresentable) {
                record.reason = "\(error)"
            }
            response = problem.response(requestID: record.id)
        }
        record.status = response.status
        if let origin = parameters.field("Origin") { allow(origin, method, parameters, &response) }
        guard connection.write(response.headerBlock) else { return nil }
        if method != "HEAD", !connection.write(response.body) { return nil }
        return context
    }

    private func request(
        _ parameters: Parameters, method: String, id: String, _ connection: Connection
    ) throws(Problem) -> Request {
        let length = parameters["CONTENT_LENGTH"] ?? ""
        return Request(
            method: method, target: try parameters.target, headers: Headers { parameters.field($0) }, id: id,
            body: Body(length: length.isEmpty ? 0 : Int(length)) { connection.readBody(count: $0) })
    }

    private func respond(to request: Request, _ record: inout RequestRecord) throws -> (Response, Context?) {
        let segments = request.target.segments
        if segments.first == "-" {
            record.route = HealthEndpoints.pattern(of: segments)
            return (try HealthEndpoints.respond(to: request, registry, observation), nil)
        }
        guard let service = service(of: segments) else {
            throw Problem(
                .environmentNotFound, "the path must begin with the name of an environment that this host serves")
        }
        record.environment = segments[0]
        if request.method == "OPTIONS" {
            let methods = router.methods(at: segments)
            if !methods.isEmpty {
                return (Response(status: 204, headers: [("Allow", methods.joined(separator: ", "))]), nil)
            }
        }
        let (route, captures) = try router.route(request)
        record.route = route.pattern
        let context = context(service)
        return (try route.answer(request, captures, context), context)
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
    /// What the request asks for, with the environment in front.
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
        if status != 304 && status != 204 && !isOpenEnded { block.append(("Content-Length", String(body.count))) }
        return block.bytes + "\r\n".utf8
    }
}
