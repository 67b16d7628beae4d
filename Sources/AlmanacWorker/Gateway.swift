internal import Config
internal import Environments
internal import FastCGI
internal import HTTP
internal import Notes

/// Turns FastCGI requests into HTTP ones for the endpoints, and their answers back; one for each thread.
final class Gateway {
    private let registry: Registry
    private let router: Router<ServedEnvironment>
    private var view = Registry.View()

    init(registry: Registry, router: Router<ServedEnvironment>) {
        self.registry = registry
        self.router = router
    }

    /// The routes of every domain.
    static var routes: Router<ServedEnvironment> {
        Router(ConfigRoutes.all.map { $0.within { $0.config } } + NotesRoutes.all.map { $0.within { $0.notes } })
    }

    /// Answers one request.
    func serve(_ parameters: Parameters, on connection: Connection) {
        let method = parameters["REQUEST_METHOD"] ?? ""
        let id = parameters["REQUEST_ID"] ?? ""
        var response: Response
        do {
            response = try respond(to: request(parameters, method: method, id: id, connection))
        } catch {
            let problem = Problem(translating: error)
            // A problem that an endpoint chose is an answer like any other; what it did not foresee is for the operator.
            if problem.kind.status >= 500, !(error is Problem) {
                Log.error("request failed", ("request", id), ("problem", problem.kind.rawValue), ("reason", "\(error)"))
            }
            response = problem.response(requestID: id)
        }
        if let origin = parameters["HTTP_ORIGIN"] { allow(origin, method, parameters, &response) }
        guard connection.write(headerBlock(of: response)) else { return }
        if method != "HEAD" { connection.write(response.body) }
    }

    private func request(
        _ parameters: Parameters, method: String, id: String, _ connection: Connection
    ) throws(Problem) -> Request {
        let target = try Self.target(parameters)
        var fields: [(name: String, value: String)] = []
        for pair in parameters.pairs where pair.name.hasPrefix("HTTP_") {
            fields.append((String(decoding: pair.name.utf8.dropFirst(5), as: UTF8.self), pair.value))
        }
        if let type = parameters["CONTENT_TYPE"], !type.isEmpty { fields.append(("Content-Type", type)) }
        let length = parameters["CONTENT_LENGTH"] ?? ""
        return Request(
            method: method, target: target, headers: Headers(fields), id: id,
            body: Body(length: length.isEmpty ? 0 : Int(length)) { connection.readBody(count: $0) })
    }

    private static func target(_ parameters: Parameters) throws(Problem) -> Target {
        let environment = parameters["ALMANAC_ENVIRONMENT"] ?? ""
        return try Target(parameters["REQUEST_URI"] ?? "", environment: environment.isEmpty ? nil : environment)
    }

    private func respond(to request: Request) throws -> Response {
        let segments = request.target.segments
        if segments.first == "-" { return try HealthEndpoints.respond(to: request, registry) }
        guard let environment = environment(of: segments) else {
            throw Problem(
                .environmentNotFound, "the path must begin with the name of an environment that this host serves")
        }
        if request.method == "OPTIONS" {
            let methods = router.methods(at: segments)
            if !methods.isEmpty {
                return Response(status: 204, headers: [("Allow", methods.joined(separator: ", "))])
            }
        }
        let (route, captures) = try router.route(request)
        return try route.answer(request, captures, environment)
    }

    private func environment(of segments: [String]) -> ServedEnvironment? {
        segments.first.flatMap { EnvironmentName($0) }.flatMap { registry.environment($0, &view) }
    }

    private func allow(_ origin: String, _ method: String, _ parameters: Parameters, _ response: inout Response) {
        guard let target = try? Self.target(parameters),
            let environment = environment(of: target.segments)
        else { return }
        let asked = method == "OPTIONS" ? parameters["HTTP_ACCESS_CONTROL_REQUEST_METHOD"] ?? method : method
        let policy = CORSPolicy(environment.settings)
        response.headers += policy.headers(
            origin: origin, method: asked, path: target.segments, isPreflight: method == "OPTIONS",
            methods: router.methods(at: target.segments))
    }

    /// The header block in CGI form (RFC 3875 §6.2).
    private func headerBlock(of response: Response) -> [UInt8] {
        var block: [UInt8] = []
        block.reserveCapacity(1024)
        func append(_ name: String, _ value: String) {
            block += name.utf8
            block += ": ".utf8
            block += value.utf8
            block += "\r\n".utf8
        }
        append("Status", response.statusText)
        for header in response.headers { append(header.name, header.value) }
        if response.status != 304 && response.status != 204 { append("Content-Length", "\(response.body.count)") }
        block += "\r\n".utf8
        return block
    }
}
