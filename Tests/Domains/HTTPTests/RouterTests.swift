import AlmanacHTTP
import Testing

@Suite struct RouterTests {
    /// A router whose routes respond with their pattern and captures.
    private let router: Router<String> = {
        func route(_ method: String, _ pattern: String, _ names: String...) -> Route<String> {
            Route(method, pattern) { _, captures, context in
                let words = ["\(method) \(pattern)"] + names.map { "\($0)=\(captures[$0])" } + [context]
                return Response(body: Array(words.joined(separator: " ").utf8))
            }
        }
        return Router([
            route("GET", "/{environment}/config", "environment"),
            route("POST", "/{environment}/config", "environment"),
            route("GET", "/{environment}/config/{key}", "environment", "key"),
            route("PUT", "/{environment}/config/{key}", "environment", "key"),
            route("GET", "/{environment}/config/{key}/history", "environment", "key"),
            route("GET", "/-/ready"),
            route("POST", "/only/post"),
        ])
    }()

    private func request(_ method: String, _ path: String) throws -> Request {
        Request(method: method, target: try Target(path), headers: Headers(), id: "r1")
    }

    private func answer(_ method: String, _ path: String) throws -> String {
        let request = try request(method, path)
        let (route, captures) = try router.route(request)
        return String(decoding: try route.answer(request, captures, "here").bytes, as: UTF8.self)
    }

    @Test(
        arguments: [
            ("GET", "/dev/config", "GET /{environment}/config environment=dev here"),
            ("POST", "/dev/config", "POST /{environment}/config environment=dev here"),
            ("GET", "/dev/config/a.b", "GET /{environment}/config/{key} environment=dev key=a.b here"),
            ("PUT", "/dev/config/a%2Fb", "PUT /{environment}/config/{key} environment=dev key=a/b here"),
            ("GET", "/dev/config/", "GET /{environment}/config/{key} environment=dev key= here"),
            ("GET", "/dev/config/x/history", "GET /{environment}/config/{key}/history environment=dev key=x here"),
            ("GET", "/-/ready", "GET /-/ready here"),
            ("HEAD", "/dev/config", "GET /{environment}/config environment=dev here"),
        ])
    func `a request finds its route and what the pattern captures`(
        method: String, path: String, expected: String
    ) throws {
        #expect(try answer(method, path) == expected)
    }

    @Test(arguments: ["/", "/dev", "/dev/confi", "/dev/config/x/y", "/dev/config/x/history/", "/dev/Config", "/-/"])
    func `a path that no pattern fits is not found, whatever the method`(path: String) throws {
        for method in ["GET", "DELETE"] {
            let found = problem { try answer(method, path) }
            #expect(found?.kind == .notFound)
            #expect(found?.headers.isEmpty == true)
        }
        #expect(try router.methods(at: Target(path).segments).isEmpty)
    }

    @Test(
        arguments: [
            ("DELETE", "/dev/config", "GET, HEAD, POST, OPTIONS"), ("get", "/dev/config", "GET, HEAD, POST, OPTIONS"),
            ("POST", "/dev/config/a", "GET, HEAD, PUT, OPTIONS"), ("GET", "/only/post", "POST, OPTIONS"),
            ("HEAD", "/only/post", "POST, OPTIONS"), ("OPTIONS", "/-/ready", "GET, HEAD, OPTIONS"),
        ])
    func `a method that a path doesn't take is refused with those it takes`(
        method: String, path: String, allow: String
    ) throws {
        let refusal = problem { try answer(method, path) }
        #expect(refusal?.kind == .methodNotAllowed)
        #expect(refusal?.headers.map(\.name) == ["Allow"])
        #expect(refusal?.headers.map(\.value) == [allow])
        #expect(try router.methods(at: Target(path).segments).joined(separator: ", ") == allow)
    }

    @Test func `a route answers from part of a wider context`() throws {
        let narrow = Route<Int>("GET", "/n") { _, _, context in Response(status: context) }
        let router = Router([narrow.within { (wide: (status: Int, name: String)) in wide.status }])
        let request = try request("GET", "/n")
        let (route, captures) = try router.route(request)
        #expect(try route.answer(request, captures, (207, "wide")).status == 207)
        #expect(route.pattern == "/n")
    }

    @Test func `an error that an endpoint throws comes out`() throws {
        let route = Route<Void>("GET", "/") { _, _, _ in throw Problem(.entryExists, "there") }
        let request = try request("GET", "/")
        let captures = try Router([route]).route(request).captures
        #expect(problem { try route.answer(request, captures, ()) }?.kind == .entryExists)
    }
}
