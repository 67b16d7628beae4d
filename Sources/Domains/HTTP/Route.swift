internal import AlmanacPOSIX

/// One operation: a method on a path pattern, and what answers it.
public struct Route<Context>: Sendable {
    public let method: String
    /// The pattern as documentation shows it: `/{environment}/config/{key}`.
    public let pattern: String
    fileprivate let segments: [Segment]
    fileprivate let respond: @Sendable (Request, Captures, Context) throws -> Response
    fileprivate let work: Work

    /// Tells the work that a request asks for; nil for none that is worth bounding. It reads no body and waits for
    /// nothing.
    public typealias Work = @Sendable (Request, Context) throws -> Claim?

    /// - Parameters:
    ///   - pattern: segments in braces match any one segment, which the endpoint gets by the name in the braces.
    ///   - work: by default none that is worth bounding.
    public init(
        _ method: String, _ pattern: String, work: @escaping Work = { _, _ in nil },
        _ respond: @escaping @Sendable (Request, Captures, Context) throws -> Response
    ) {
        self.method = method
        self.pattern = pattern
        self.respond = respond
        self.work = work
        segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.hasPrefix("{") ? .any(name: String(segment.dropFirst().dropLast())) : .exactly(String(segment))
        }
    }

    fileprivate func fits(_ path: [String]) -> Bool {
        path.count == segments.count && zip(segments, path).allSatisfy { $0.fits($1) }
    }
}

/// The path segments that matched a pattern's names.
public struct Captures: Sendable {
    fileprivate let pattern: [Segment]
    fileprivate let path: [String]

    /// The segment for a name that stands in the pattern.
    public subscript(_ name: String) -> String {
        path[pattern.firstIndex { $0.isNamed(name) }!]
    }
}

private enum Segment: Sendable {
    case exactly(String)
    case any(name: String)

    func fits(_ text: String) -> Bool {
        if case .exactly(let expected) = self { text.hasSameBytes(as: expected) } else { true }
    }

    func isNamed(_ name: String) -> Bool {
        if case .any(name) = self { true } else { false }
    }
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
        let path = request.target.segments
        for route in routes where route.method == method && route.fits(path) {
            return (route, Captures(pattern: route.segments, path: path))
        }
        let allowed = methods(at: path)
        guard !allowed.isEmpty else {
            throw Problem(.notFound, "no call has this path; openapi.yaml lists them all")
        }
        let allow = allowed.joined(separator: ", ")
        throw Problem(.methodNotAllowed, "this path takes \(allow)", headers: [("Allow", allow)])
    }

    /// The methods that a path takes, in the order of the routes, with `HEAD` and `OPTIONS`; none for an unknown path.
    public func methods(at path: [String]) -> [String] {
        var methods: [String] = []
        for route in routes where route.fits(path) && !methods.contains(route.method) {
            methods += route.method == "GET" ? ["GET", "HEAD"] : [route.method]
        }
        return methods.isEmpty ? [] : methods + ["OPTIONS"]
    }
}

extension Route {
    /// The work that a request asks for which the router found this route for.
    public func claim(of request: Request, _ context: Context) throws -> Claim? { try work(request, context) }

    /// Answers a request that the router found this route for.
    public func answer(_ request: Request, _ captures: Captures, _ context: Context) throws -> Response {
        try respond(request, captures, context)
    }
}

extension Route {
    /// The same route with a slash at the end of its path.
    public var withSlash: Route { Route(method, pattern + "/", work: work, respond) }

    /// The same route where the endpoints of several domains share one wider context.
    public func within<Wider>(_ narrow: @escaping @Sendable (Wider) -> Context) -> Route<Wider> {
        let (respond, work) = (respond, work)
        return Route<Wider>(method, pattern, work: { try work($0, narrow($1)) }) { request, captures, context in
            try respond(request, captures, narrow(context))
        }
    }
}
