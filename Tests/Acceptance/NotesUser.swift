import AlmanacJSON
import AlmanacTestSupport
import Testing

struct NotesUser: Sendable {
    let instance: Instance
    let environment: String
    let subject: String
    let token: String

    /// Creates a user whom the server has never seen.
    ///
    /// - Parameter options: options of `almanac token user`.
    init(_ name: String = "alice", in environment: String = "development", options: [String] = []) throws {
        try self.init(subject: "\(name)-\(UInt64.random(in: .min ... .max))", in: environment, options: options)
    }

    init(subject: String, in environment: String = "development", options: [String] = []) throws {
        instance = try Instance.current()
        self.environment = environment
        self.subject = subject
        let outcome = try Command.run(
            instance.path("bin/almanac"),
            ["token", "user", environment, "--sub", subject, "--environments", instance.path("environments.json")]
                + options)
        guard outcome.succeeded else { throw InstanceFailure(description: outcome.errors) }
        token = outcome.output.filter { !$0.isWhitespace }
    }

    func client() -> NotesClient {
        NotesClient(http: instance.client(token: token), environment: environment)
    }
}

/// A device of a user, over HTTPS through nginx, for one thread.
struct NotesClient {
    let http: HTTPClient
    let environment: String

    /// Sends a request.
    ///
    /// - Parameters:
    /// - path: the path after the environment, for example `notes?since=4`.
    /// - body: JSON.
    func send(
        _ method: String, _ path: String, _ body: String? = nil, headers: [(String, String)] = []
    ) throws -> HTTPResponse {
        try http.send(method, "/\(environment)/\(path)", headers: headers, body: body.map { Array($0.utf8) })
    }

    @discardableResult
    func act(_ actions: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [JSONObject] {
        let answer = try send("POST", "notes", actions)
        try #require(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
        return try #require(answer["results"]?.arrayValue).compactMap(\.objectValue)
    }

    /// Sends a batch, and returns short results: `applied`, `rejected note-gone`, `merged restored`.
    func outcomes(_ actions: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
        try act(actions, sourceLocation: sourceLocation).map(\.outcome)
    }

    /// Creates notes in this order. Each title is the id in capitals.
    func create(_ notes: (id: String, body: String)...) throws {
        for note in notes {
            let fields: JSONValue = [
                "id": .string(note.id), "title": .string(note.id.uppercased()), "body": .string(note.body),
            ]
            try #require(try outcomes("\([["createNote", fields]] as JSONValue)") == ["applied"])
        }
    }

    /// Returns the body of a note, or nil if the note is not in the list.
    func body(_ id: String) throws -> String? {
        let answer = try send("GET", "notes/\(id)")
        try #require(answer.status == 200 || answer.problem == "note-gone", "\(answer.text)")
        return answer["body"]?.stringValue
    }

    func order(_ query: String = "") throws -> [String] { try send("GET", "notes\(query)").texts("order") }

    func revision() throws -> Int64 { try #require(try send("GET", "notes").revision) }
}

extension HTTPResponse {
    subscript(_ name: String) -> JSONValue? { try? json().objectValue?[name] }

    func texts(_ name: String) throws -> [String] {
        try #require(self[name]?.arrayValue, "\(status) \(text.prefix(500))").compactMap(\.stringValue)
    }

    /// The status and the problem, for example `404 note-gone`.
    var outcome: String { problem.map { "\(status) \($0)" } ?? "\(status)" }
}
