import AlmanacEnvironments
import AlmanacHTTP
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacEnvironments
@testable import AlmanacIdentity

@Suite(.database(.migrated)) struct AppearanceTests {
    private let tokens: TokenFixture
    private let admin: APIToken

    init() throws {
        tokens = try TokenFixture()
        admin = try tokens.make("ops", [.admin]).token
        try tokens.store.refresh()
    }

    /// Returns the context of a worker for the environment, with the file's values.
    private func worker(color: String? = "#112233", needsCaution: Bool = false) throws -> IdentityContext {
        let name = try #require(EnvironmentName("staging"))
        let settings = EnvironmentSettings(
            name: name, database: tokens.database.settings(user: TestDatabase.worker),
            owner: tokens.database.settings(user: TestDatabase.owner), configRead: .everyone, origins: [],
            limits: Limits(), appearance: Appearance(of: name, color: color, needsCaution: needsCaution))
        return IdentityContext(
            settings: settings, pool: tokens.pool, tokens: tokens.store,
            sessions: SessionStore(
                settings, pool: tokens.pool, tokens: tokens.store,
                people: PeopleStore(settings, pool: tokens.pool)),
            authenticator: tokens.authenticator)
    }

    private func put(_ body: String, at context: IdentityContext, as token: APIToken? = nil) throws -> JSONValue {
        let request = Request(
            method: "PUT", target: try Target("/staging/appearance"),
            headers: Headers([(name: "Authorization", value: "Bearer \((token ?? admin).text)")]), id: "test",
            body: Body(length: body.utf8.count) { Array(body.utf8.prefix($0)) })
        let (route, captures) = try Router(IdentityRoutes.all).route(request)
        return try JSONValue(parsing: try route.answer(request, captures, context).bytes)
    }

    @Test func `a set appearance replaces the file's in every worker until it is set to null`() throws {
        let (one, other) = (try worker(), try worker())
        let set = try put(##"{"color": "#B3261e", "caution": true}"##, at: one)
        #expect(set == (try JSONValue(parsing: Array(##"{"color": "#B3261e", "caution": true}"##.utf8))))
        #expect(other.appearance.current.color == "#112233")
        try other.appearance.refresh()
        #expect(other.appearance.current.color == "#B3261e" && other.appearance.current.needsCaution)

        _ = try put(#"{"color": null, "caution": null}"#, at: other)
        try one.appearance.refresh()
        #expect(one.appearance.current == one.settings.appearance)
    }

    @Test func `the audit log names the administrator and the values`() throws {
        _ = try put(##"{"color": "#b3261e", "caution": null}"##, at: try worker())
        let lines = Statement(
            """
            -- name: test_appearance_audit
            select concat_ws(' ', action, author, details) as line from audit_log where action like 'environment.%'
            """)
        let rows = try tokens.pool.withConnection { try $0.run(lines) }
        let line = ##"environment.change ops {"color": "#b3261e", "caution": null}"##
        #expect(try rows.map { try $0.text("line") } == [line])
    }

    @Test(arguments: [
        "{}", ##"{"color": "#b3261e"}"##, #"{"caution": true}"#, #"{"color": "red", "caution": true}"#,
        ##"{"color": "#b3261", "caution": true}"##, ##"{"color": "#b3261e ", "caution": true}"##,
        ##"{"color": "#b3261e", "caution": 1}"##, ##"{"color": 7, "caution": true}"##,
        ##"{"color": "#b3261e", "caution": true, "name": "x"}"##, "[]", "null",
    ]) func `a malformed appearance is refused and changes nothing`(body: String) throws {
        let context = try worker()
        #expect(throws: Problem.self) { try put(body, at: context) }
        try context.appearance.refresh()
        #expect(context.appearance.current == context.settings.appearance)
    }

    @Test func `only an administrator sets the appearance`() throws {
        let writer = try tokens.make("writer", [.configWrite]).token
        try tokens.store.refresh()
        let context = try worker()
        #expect { try put(##"{"color": "#b3261e", "caution": true}"##, at: context, as: writer) } throws: {
            ($0 as? Problem)?.kind == .scopeTooSmall
        }
    }
}
