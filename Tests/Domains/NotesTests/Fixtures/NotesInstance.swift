import AlmanacEnvironments
import AlmanacHTTP
import AlmanacIdentity
import AlmanacJSON
import AlmanacMetrics
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacEnvironments
@testable import AlmanacNotesDomain

/// The notes of an environment as a worker serves them, with their own database and without a web server.
final class NotesInstance: Sendable {
    let database: TestDatabase
    let pool: Pool
    let service: NotesService
    let attachments: TemporaryFolder
    private let router = Router(NotesRoutes.all)

    /// - Parameters:
    ///   - database: a migrated database. The default is the running test's.
    ///   - folder: the folder of attachments; by default ``attachments``.
    init(
        on database: TestDatabase? = nil, limits: Limits = Limits(), connections: Int = 4,
        storingIn stores: AttachmentSettings = AttachmentSettings(), folder: String? = nil,
        counting actions: Family<Counter> = Family(.notesActions),
        batchTime: BatchTime = BatchTime(elapsed: .seconds(60), computing: .seconds(60), comparing: .seconds(60))
    ) throws {
        let database = try database ?? TestDatabase.current
        attachments = try TemporaryFolder()
        self.database = database
        let login = database.settings(user: TestDatabase.worker)
        let settings = EnvironmentSettings(
            name: EnvironmentName("development")!, database: login,
            owner: database.settings(user: TestDatabase.owner), configRead: .everyone, origins: [], limits: limits,
            attachments: stores, attachmentsFolder: folder ?? attachments.path)
        pool = Pool(login, size: connections, waitLimit: .seconds(60))
        service = NotesService(
            settings: settings, pool: pool, notifier: Notifier(login, threadName: "notify-notes"), actions: actions,
            batchTime: batchTime)
    }

    /// An authenticator that takes a token's text as the subject: `Authorization: Bearer alice`.
    private var authenticator: Authenticator {
        Authenticator(tokens: TokenStore(environment: "development", pool: pool)) { token in
            Caller(user: Self.user(token), scopes: [], expiresAt: .latest)
        }
    }

    static func user(_ name: String) -> VerifiedUser {
        VerifiedUser(issuer: "https://login.example.com/", subject: name)
    }

    /// Sends a request. A problem is returned as a response.
    ///
    /// - Parameters:
    ///   - path: the path after the environment, with the query: `/notes?since=4`.
    ///   - user: nil sends no token.
    ///   - isAbandoned: returns `true` if the client has disconnected.
    func call(
        _ method: String, _ path: String, _ body: String? = nil, as user: String? = "alice",
        _ headers: (String, String)..., isAbandoned: @escaping () -> Bool = { false }
    ) throws -> NotesResponse {
        try Self.collecting {
            try answer(method, path, body, as: user, headers: headers, isAbandoned: isAbandoned)
        }
    }

    /// Sends a request with a body that is not JSON.
    func call(
        _ method: String, _ path: String, bytes: [UInt8], as user: String? = "alice", _ headers: [(String, String)]
    ) throws -> NotesResponse {
        try Self.collecting { try answer(method, path, bytes: bytes, as: user, headers: headers) }
    }

    private static func collecting(_ answer: () throws -> Response) throws -> NotesResponse {
        do {
            return try NotesResponse(collecting: try answer())
        } catch let problem as Problem {
            return NotesResponse(problem.response(requestID: "test"))
        } catch let refusal as any ProblemRepresentable {
            return NotesResponse(refusal.problem.response(requestID: "test"))
        }
    }

    /// Sends a request. Returns the endpoint's response unchanged, and throws problems.
    func answer(
        _ method: String, _ path: String, _ body: String? = nil, as user: String? = "alice",
        headers: [(String, String)] = [], isAbandoned: @escaping () -> Bool = { false }
    ) throws -> Response {
        let type = body == nil ? [] : [("Content-Type", "application/json")]
        return try answer(
            method, path, bytes: Array((body ?? "").utf8), as: user, headers: headers + type, isAbandoned: isAbandoned)
    }

    private func answer(
        _ method: String, _ path: String, bytes: [UInt8], as user: String?, headers: [(String, String)],
        isAbandoned: @escaping () -> Bool = { false }
    ) throws -> Response {
        var fields = headers.map { (name: $0.0, value: $0.1) }
        if let user { fields.append(("Authorization", "Bearer \(user)")) }
        let request = Request(
            method: method, target: try Target("/development\(path)"), headers: Headers(fields), id: "test",
            body: Body(length: bytes.count, isAbandoned: isAbandoned) { Array(bytes.prefix($0)) })
        let (route, captures) = try router.route(request)
        return try route.answer(request, captures, NotesContext(service: service, authenticator: authenticator))
    }

    /// Sends a batch of actions in JSON and returns their results.
    @discardableResult
    func act(_ actions: String, as user: String = "alice") throws -> [JSONObject] {
        try call("POST", "/notes", actions, as: user).expecting(200).results
    }

    func create(_ notes: (id: String, body: String)..., as user: String = "alice") throws {
        for note in notes {
            let action: JSONValue = [["createNote", ["id": .string(note.id), "body": .string(note.body)]]]
            let results = try act("\(action)", as: user)
            try #require(results.map(\.outcome) == ["applied"], "\(results)")
        }
    }

    /// Returns the current body of a note, or nil if the note is not readable.
    func body(_ id: String, as user: String = "alice") throws -> String? {
        try call("GET", "/notes/\(id)", as: user)[member: "body"]?.stringValue
    }

    func query(_ name: String, _ sql: String) throws -> Rows {
        try Connection(database.settings).run(Statement("-- name: \(name)\n\(sql)"))
    }
}
