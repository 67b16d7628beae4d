internal import AlmanacPOSIX

/// An operation: a method, a path pattern, and the endpoint.
public final class Route<Context>: Sendable {
    /// The pattern in the form of the documentation: `/{environment}/config/{key}`.
    public let pattern: String
    fileprivate let path: PathPattern
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
        self.pattern = pattern
        self.respond = respond
        self.makeClaim = claim
        path = PathPattern(method, pattern)
    }

    public var method: String { path.method }
}

/// The method and the path pattern of a route.
private struct PathPattern: Sendable {
    let method: String
    let segments: [Segment]

    init(_ method: String, _ pattern: String) {
        self.method = method
        segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.hasPrefix("{") ? .any(name: String(segment.dropFirst().dropLast())) : .exactly(String(segment))
        }
    }

    func matches(_ path: [String]) -> Bool {
        path.count == segments.count && zip(segments, path).allSatisfy { $0.matches($1) }
    }
}

/// The patterns of all routes. The type has no parameter, so that the compiler specialises the search of each request.
private struct PathTable: Sendable {
    /// The patterns by the number of their segments, each in the order given, with the number of its route.
    private let patterns: [[(pattern: PathPattern, route: Int)]]

    init(_ patterns: [PathPattern]) {
        let longest = patterns.map(\.segments.count).max() ?? -1
        self.patterns = (0..<longest + 1).map { count in
            patterns.enumerated().filter { $1.segments.count == count }.map { ($1, $0) }
        }
    }

    /// Returns the patterns with as many segments as a path.
    private func candidates(_ path: [String]) -> [(pattern: PathPattern, route: Int)] {
        path.count < patterns.count ? patterns[path.count] : []
    }

    func has(_ path: [String]) -> Bool { candidates(path).contains { $0.pattern.matches(path) } }

    /// Returns the number of the first route that has the method and the path.
    func route(_ method: String, _ path: [String]) -> Int? {
        candidates(path).first { $0.pattern.method == method && $0.pattern.matches(path) }?.route
    }

    /// Returns the methods of the routes that have a path, without repetition.
    func methods(_ path: [String]) -> [String] {
        var methods: [String] = []
        for (pattern, _) in candidates(path) where pattern.matches(path) && !methods.contains(pattern.method) {
            methods.append(pattern.method)
        }
        return methods
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
    private let routes: [Route<Context>]
    private let paths: PathTable

    public init(_ routes: [Route<Context>]) {
        self.routes = routes
        paths = PathTable(routes.map(\.path))
    }

    /// Returns the route of a request, with the captured segments.
    ///
    /// The route for `GET` also answers `HEAD`; the caller must omit the body.
    public func route(_ request: Request) throws(Problem) -> (route: Route<Context>, captures: Captures) {
        let path = request.target.segments
        if let found = paths.route(request.method == "HEAD" ? "GET" : request.method, path) {
            let route = routes[found]
            return (route, Captures(pattern: route.path.segments, path: path))
        }
        let allowed = methods(at: path)
        guard !allowed.isEmpty else {
            throw Problem(.notFound, "unknown path; openapi.yaml lists all paths")
        }
        let allow = allowed.joined(separator: ", ")
        throw Problem(.methodNotAllowed, "this path allows \(allow)", headers: [("Allow", allow)])
    }

    /// Returns true if a route has the path, whatever its method.
    public func has(_ path: [String]) -> Bool { paths.has(path) }

    /// Returns the methods of a path, in the order of the routes, with `HEAD` and `OPTIONS`; empty for an unknown path.
    public func methods(at path: [String]) -> [String] {
        let methods = paths.methods(path).flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }
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
