import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests that authentication comes before every other check, and that the pattern for `If-Match` in
    /// `openapi.yaml` accepts the same values as the server.
    @Suite struct OrderOfChecksTests {
        private let instance: Instance

        init() throws { instance = try Instance.current() }

        /// Returns the method and path of all domains' routes, and `true` if anonymous callers may read.
        private static func routes() throws -> [(method: String, path: String, isPublic: Bool)] {
            try ["Config", "Notes", "Events"].flatMap { domain in
                try Checkout.texts("Sources/Domains/\(domain)/Endpoints", ending: ".swift").flatMap { source in
                    source.matches(of: /Route\("(?<method>[A-Z]+)", "(?<path>[^"]+)"/).map { route in
                        let path = String(route.path)
                        let isPublic =
                            route.method == "GET" && !path.hasSuffix("/history")
                            && ["/config", "/config.json", "/config/{key}", "/diff/{other}", "/events"].contains {
                                path.hasSuffix($0)
                            }
                        return (String(route.method), path, isPublic)
                    }
                }
            }
        }

        @Test func `401 comes before every other refusal of a request, for every call`() throws {
            let client = instance.client()
            let wrong = [
                ("If-Match", "nonsense"), ("If-None-Match", "nonsense"), ("Accept", "text/plain"),
                ("Almanac-Min-Revision", "nonsense"), ("Last-Event-ID", "nonsense"),
            ]
            let routes = try Self.routes()
            #expect(routes.count > 20)
            for route in routes {
                let path =
                    route.path.replacing("{environment}", with: "development").replacing(/\{\w+\}/, with: "0!")
                    + "?nonsense=1"
                for token in [nil, "almanac_development_nonsense", "a.b.c"] {
                    if token == nil, route.isPublic { continue }
                    let answer = try client.send(
                        route.method, path, headers: wrong + (token.map { [("Authorization", "Bearer \($0)")] } ?? []),
                        body: route.method == "GET" ? nil : Array("{".utf8))
                    #expect(answer.status == 401, "\(route.method) \(path) \(token ?? "-")")
                    #expect(answer.header("WWW-Authenticate") != nil)
                }
            }
        }

        private static func pattern(of schema: String) throws -> Regex<AnyRegexOutput> {
            let text = try OpenAPIDocument.text()
            let part = try #require(text.split(separator: "\n    \(schema):\n").dropFirst().first)
            return try Regex(String(#require(part.firstMatch(of: /pattern: '(.*)'\n/)?.1)))
        }

        private static let values = [
            "*", "\"1.k3f9\"", "W/\"1.k3f9\"", "\"1\"", "W/\"1\"", "\"1.k3f9k3f9k3f9k3f9k3f9k3f9\"", "\"1-object\"",
            "\"1\", \"2\"", "\"1\" , W/\"2\"", "\"\"", "\"x\"", "\"1.K3F9\"", "\"1.k\"", "\"1234567890123456789\"",
            "1", "1.k3f9", "nonsense", "\"1", "1\"", ", \"1\",, 2,", ",", "\"1\" \"2\"", "w/\"1\"", "**", "*, \"1\"",
            "'1'",
        ]

        @Test(arguments: values)
        func `If-Match is taken where the schema allows it, and is outside of the schema where it is refused`(
            value: String
        ) throws {
            let user = try NotesUser().client()
            try user.create(("n1", "milk"))
            let note = try user.send("PUT", "notes/n1", #"{"body": "bread"}"#, headers: [("If-Match", value)])
            let isNoteTag = try value.wholeMatch(of: Self.pattern(of: "NoteEntityTag")) != nil
            #expect((note.status == 400) == !isNoteTag, "the server says \(note.status)")

            let config = try instance.client(token: instance.token("development")).send(
                "DELETE", "/development/config/no.such.key", headers: [("If-Match", value)])
            let isTag = try value.wholeMatch(of: Self.pattern(of: "EntityTags")) != nil
            #expect((config.status == 400) == !isTag, "the server says \(config.status)")
        }
    }
}
