import AlmanacHTTP
import AlmanacRevisions
import AlmanacTimestamps
import Testing

@testable import AlmanacNotesDomain

@Suite struct ListQueryTests {
    private static let token = "43.k3f9k3f9.a5.41.n1"

    private func query(_ text: String) throws -> ListQuery {
        try ListQuery(try Target("/development/notes?\(text)").query)
    }

    private func name(_ form: ListQuery.Form) -> String {
        switch form {
        case .list(let token): "list" + (token.map { " \($0)" } ?? "")
        case .newest(let token): "newest" + (token.map { " \($0)" } ?? "")
        case .manifest(let token): "manifest" + (token.map { " \($0)" } ?? "")
        case .trash(let token): "trash" + (token.map { " \($0)" } ?? "")
        case .since(let cursor): "since \(cursor)"
        case .sinceTime(let time): "since \(time)"
        case .sincePage(let token): "since \(token)"
        case .search(let search): "search \(search.text)"
        }
    }

    @Test(arguments: [
        ("", "list", 500), ("limit=7", "list", 7), ("newest=true", "newest", 500), ("q=milk", "search milk", 500),
        ("form=trash", "trash", 500), ("form=manifest", "manifest", 10_000), ("form=manifest&limit=1", "manifest", 1),
        ("since=43", "since 43", 500), ("since=43.k3f9", "since 43.k3f9", 500),
        ("since=2020-10-17T18:43:19.000Z", "since 2020-10-17T18:43:19.000Z", 500),
        ("since=2020-10-17T20:43:19+02:00", "since 2020-10-17T18:43:19.000Z", 500),
        ("next=list.\(token)", "list list.\(token)", 500), ("next=newest.\(token)", "newest newest.\(token)", 500),
        ("next=since.\(token)", "since since.\(token)", 500),
        ("next=trash.43.k3f9k3f9.99.41.n1", "trash trash.43.k3f9k3f9.99.41.n1", 500),
        ("next=manifest.\(token)", "manifest manifest.\(token)", 10_000),
    ])
    func `a query asks for one form of the list`(text: String, form: String, limit: Int) throws {
        let query = try query(text)
        #expect(query.limit == limit && name(query.form) == form)
    }

    @Test(arguments: [
        "limit=0", "limit=1001", "limit=x", "since=", "since=x", "since=-1", "since=1.", "next=", "next=x", "form=list",
        "newest=yes", "since=0&newest=true", "q=a&since=0", "form=manifest&q=a", "form=trash&newest=true",
        "form=manifest&limit=10001", "next=trash.\(token)", "next=list.43.k3f9k3f9.a5.41.n%201",
    ])
    func `a query that makes no sense is refused`(text: String) throws {
        let problem = #expect(throws: Problem.self) { try query(text) }
        #expect(problem?.kind == .invalidParameter)
    }

    @Test(arguments: ["", "limit=7", "newest=true", "q=milk", "q=bread", "form=trash", "form=manifest", "since=43"])
    func `responses to different queries have different marks`(text: String) throws {
        let queries = ["", "limit=7", "newest=true", "q=milk", "q=bread", "form=trash", "form=manifest", "since=43"]
        for other in queries {
            #expect(try (query(text).etagPart == query(other).etagPart) == (text == other), "\(other)")
        }
    }

    @Test(arguments: [
        ("since=9", true), ("since=10", false), ("since=2", false), ("since=9.k3f9k3f9", true),
        ("since=9.abcdefgh", false), ("next=list.9.k3f9k3f9.a5.4.n1", true), ("next=list.9.abcdefgh.a5.4.n1", false),
        ("next=since.10.k3f9k3f9.a5.4.n1", false), ("form=trash", true), ("q=milk", true),
        ("since=1970-01-01T00:00:00Z", true),
    ])
    func `a cursor that the account's history doesn't reach asks to resync`(text: String, isTaken: Bool) throws {
        let query = try query(text)
        let account = Account.stored(revision: 9, oldestRevision: 3)
        if isTaken {
            try query.check(account)
        } else {
            #expect(throws: Problem.self) { try query.check(account) }
        }
    }

    @Test(arguments: [
        ("since=0", true), ("since=0.abcdefgh", true), ("since=1", false), ("next=list.0.k3f9k3f9.a5.4.n1", false),
        ("", true), ("newest=true", true), ("form=manifest", true), ("q=milk", true),
    ])
    func `a user without an account can have seen nothing`(text: String, isTaken: Bool) throws {
        let query = try query(text)
        if isTaken {
            try query.checkEmpty()
        } else {
            #expect(throws: Problem.self) { try query.checkEmpty() }
        }
    }
}
