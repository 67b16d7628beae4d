internal import AlmanacPOSIX

/// An operation: a method, a path pattern, and the endpoint.
public final class Route<Context>: Sendable {
    public let method: String
    /// The pattern in the form of the documentation: `/{environment}/config/{key}`.
    public let pattern: String
    fileprivate let segments: [Segment]
    fileprivate let respond: @Sendable (Request, Captures, Context) throws -> Response
    fileprivate let makeClaim: MakeClaim

    /// A function that returns the work to limit, or nil, without reading the body or waiting.
    public typealias MakeClaim = @Sendable (Request, Context) throws -> WorkClaim?

    /// - Parameters:
    ///   - pattern: A segment in braces matches any segment, which the endpoint reads by the name in the braces.
    ///   - claim: By default, no work that needs a limit.
    public init(
        _ method: String, _ pattern: String, claim: @escaping MakeClaim = { _, _ in nil },
        _ respond: @escaping @Sendable (Request, Captures, Context) throws -> Response
    ) {
        self.method = method
        self.pattern = pattern
        self.respond = respond
        self.makeClaim = claim
        segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.hasPrefix("{") ? .any(name: String(segment.dropFirst().dropLast())) : .exactly(String(segment))
        }
    }

    fileprivate func matches(_ path: [String]) -> Bool {
        path.count == segments.count && zip(segments, path).allSatisfy { $0.matches($1) }
    }
}

/// The path segments that matched the names in a pattern.
public struct Captures: Sendable {
    fileprivate let pattern: [Segment]
    fileprivate let path: [String]

    /// The segment for a name in the pattern.
    public subscript(_ name: String) -> String { path[pattern.firstIndex { $0.isNamed(name) }!] }
}

private enum Segment: Sendable {
    case exactly(String)
    case any(name: String)

    func matches(_ text: String) -> Bool {
        if case .exactly(let expected) = self { text.hasSameBytes(as: expected) } else { true }
    }

    func isNamed(_ name: String) -> Bool { if case .any(name) = self { true } else { false } }
}

/// The routes of a server. An unknown path is answered with 404, and an unknown method with 405 and `Allow`.
public struct Router<Context>: Sendable {
    /// The routes by the number of their segments, each in the order given.
    private let routes: [[Route<Context>]]

    public init(_ routes: [Route<Context>]) {
        let longest = routes.map(\.segments.count).max() ?? -1
        self.routes = (0..<longest + 1).map { count in routes.filter { $0.segments.count == count } }
    }

    /// Returns the routes with as many segments as a path.
    private func routes(for path: [String]) -> [Route<Context>] { path.count < routes.count ? routes[path.count] : [] }

    /// Returns the route of a request, with the captured segments.
    ///
    /// The route for `GET` also answers `HEAD`; the caller must omit the body.
    public func route(_ request: Request) throws(Problem) -> (route: Route<Context>, captures: Captures) {
        let method = request.method == "HEAD" ? "GET" : request.method
        let path = request.target.segments
        for route in routes(for: path) where route.method == method && route.matches(path) {
            return (route, Captures(pattern: route.segments, path: path))
        }
        let allowed = methods(at: path)
        guard !allowed.isEmpty else {
            throw Problem(.notFound, "unknown path; openapi.yaml lists all paths")
        }
        let allow = allowed.joined(separator: ", ")
        throw Problem(.methodNotAllowed, "this path allows \(allow)", headers: [("Allow", allow)])
    }

    /// Returns true if a route has the path, whatever its method.
    public func has(_ path: [String]) -> Bool { routes(for: path).contains { $0.matches(path) } }

    /// Returns the methods of a path, in the order of the routes, with `HEAD` and `OPTIONS`; empty for an unknown path.
    public func methods(at path: [String]) -> [String] {
        var methods: [String] = []
        for route in routes(for: path) where route.matches(path) && !methods.contains(route.method) {
            methods += route.method == "GET" ? ["GET", "HEAD"] : [route.method]
        }
        return methods.isEmpty ? [] : methods + ["OPTIONS"]
    }
}

extension Route {
    /// Returns the work of a request to this route.
    public func claim(of request: Request, _ context: Context) throws -> WorkClaim? { try makeClaim(request, context) }

    public func answer(_ request: Request, _ captures: Captures, _ context: Context) throws -> Response {
        try respond(request, captures, context)
    }
}

extension Route {
    /// The same route with a trailing slash.
    public var withSlash: Route { Route(method, pattern + "/", claim: makeClaim, respond) }

    /// Returns the same route for a wider context, which the endpoints of several domains share.
    public func within<Wider>(_ narrow: @escaping @Sendable (Wider) -> Context) -> Route<Wider> {
        let (respond, makeClaim) = (respond, makeClaim)
        return Route<Wider>(method, pattern, claim: { try makeClaim($0, narrow($1)) }) { request, captures, context in
            try respond(request, captures, narrow(context))
        }
    }
}
