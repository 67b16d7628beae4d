/// One operation: a method on a path pattern, and what answers it.
public struct Route<Context>: Sendable {
    public let method: String
    /// The pattern as documentation shows it: `/{environment}/config/{key}`.
    public let pattern: String
    fileprivate let segments: [Segment]
    fileprivate let respond: @Sendable (Request, Captures, Context) throws -> Response

    /// - Parameter pattern: segments in braces match any one segment, which the endpoint gets by the name in the braces.
    public init(
        _ method: String, _ pattern: String,
        _ respond: @escaping @Sendable (Request, Captures, Context) throws -> Response
    ) {
        self.method = method
        self.pattern = pattern
        self.respond = respond
        segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.hasPrefix("{") ? .any(name: String(segment.dropFirst().dropLast())) : .exactly(String(segment))
        }
    }

    fileprivate func captures(_ path: [String]) -> Captures? {
        guard path.count == segments.count else { return nil }
        var values: [(name: String, value: String)] = []
        for (segment, text) in zip(segments, path) {
            switch segment {
            case .exactly(let expected): if !text.hasSameBytes(as: expected) { return nil }
            case .any(let name): values.append((name, text))
            }
        }
        return Captures(values: values)
    }
}

/// The path segments that matched a pattern's names.
public struct Captures: Sendable {
    fileprivate let values: [(name: String, value: String)]

    /// The segment for a name that stands in the pattern.
    public subscript(_ name: String) -> String {
        values.first { $0.name == name }!.value
    }
}

private enum Segment: Sendable {
    case exactly(String)
    case any(name: String)
}

/// Finds the route of a request: 404 where no pattern fits, 405 with `Allow` where another method would.
public struct Router<Context>: Sendable {
    private let routes: [Route<Context>]

    public init(_ routes: [Route<Context>]) {
        self.routes = routes
    }

    /// The route that fits a request, with what its pattern captured.
    ///
    /// `HEAD` is answered by the route for `GET`; the caller leaves the body out.
    public func route(_ request: Request) throws(Problem) -> (route: Route<Context>, captures: Captures) {
        let method = request.method == "HEAD" ? "GET" : request.method
        for route in routes where route.method == method {
            if let captures = route.captures(request.target.segments) { return (route, captures) }
        }
        let allowed = methods(at: request.target.segments)
        guard !allowed.isEmpty else {
            throw Problem(.notFound, "no call has this path; openapi.yaml lists them all")
        }
        let allow = allowed.joined(separator: ", ")
        throw Problem(.methodNotAllowed, "this path takes \(allow)", headers: [("Allow", allow)])
    }

    /// The methods that a path takes, in the order of the routes, with `HEAD` and `OPTIONS`; none for an unknown path.
    public func methods(at path: [String]) -> [String] {
        var methods: [String] = []
        for route in routes where route.captures(path) != nil && !methods.contains(route.method) {
            methods += route.method == "GET" ? ["GET", "HEAD"] : [route.method]
        }
        return methods.isEmpty ? [] : methods + ["OPTIONS"]
    }
}

extension Route {
    /// Answers a request that the router found this route for.
    public func answer(_ request: Request, _ captures: Captures, _ context: Context) throws -> Response {
        try respond(request, captures, context)
    }
}

extension Route {
    /// The same route where the endpoints of several domains share one wider context.
    public func within<Wider>(_ narrow: @escaping @Sendable (Wider) -> Context) -> Route<Wider> {
        let respond = respond
        return Route<Wider>(method, pattern) { request, captures, context in
            try respond(request, captures, narrow(context))
        }
    }
}
