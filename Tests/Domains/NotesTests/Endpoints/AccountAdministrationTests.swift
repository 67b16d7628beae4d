import AlmanacIdentity
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

@Suite(.database(.migrated)) struct AccountAdministrationTests {
    private let instance: NotesInstance
    private let administration: AccountAdministration
    private let alice = NotesInstance.user("alice")

    init() throws {
        instance = try NotesInstance()
        administration = AccountAdministration(
            try Connection(instance.database.settings(user: TestDatabase.owner)), by: Author("root", .host))
        try instance.create(("n1", "milk"), ("n2", "eggs"))
        try instance.create(("n1", "bob's"), as: "bob")
    }

    private func export(_ user: VerifiedUser) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        return try administration.export(user) { bytes += $0 } ? bytes : nil
    }

    /// Returns the actions and authors in the audit log.
    private func audit() throws -> [String] {
        try instance.query(
            "test_audit", "select concat_ws(' ', action, author_kind, author) as line from audit_log order by id"
        ).map { try $0.text("line") }
    }

    @Test func `the list shows each account's quotas, and finds one by its name`() throws {
        let all = try administration.list(issuer: nil, subject: nil)
        #expect(all.map(\.user.subject) == ["alice", "bob"] && all.map(\.notes) == [2, 1])
        #expect(try all.first?.bytes == instance.call("GET", "/account")[member: "bytes"]?.numberValue?.int64)
        #expect(try administration.list(issuer: nil, subject: "bob").map(\.user) == [NotesInstance.user("bob")])
        #expect(try administration.list(issuer: alice.issuer, subject: nil).count == 2)
        #expect(try administration.list(issuer: "https://elsewhere/", subject: nil).isEmpty)
        #expect(try audit().isEmpty)
    }

    @Test func `the export is the one that the user gets, and is recorded without the user's name`() throws {
        let theirs = try instance.call("GET", "/account").expecting(200).body
        #expect(try export(alice).map { String(decoding: $0, as: UTF8.self) } == theirs)
        #expect(try audit() == ["account.export host root"])
        let lines = try instance.query("test_lines", "select audit_log::text as line from audit_log")
        #expect(try lines.allSatisfy { try !$0.text("line").contains("alice") })
        #expect(try export(NotesInstance.user("carol")) == nil)
        #expect(try audit().count == 1)
    }

    @Test func `an erasure leaves nothing, is recorded under the operator, and is announced to streams`() throws {
        let id = try instance.query("test_id", "select id from accounts where subject = 'alice'")[0].bigint("id")
        let received = Monitor<[String]>([])
        let isListening = Monitor(false)
        let subscription = try Subscription(
            instance.database.settings(user: TestDatabase.worker), channels: [NotesService.channel],
            interval: .seconds(60), threadName: "listen"
        ) { event in
            switch event {
            case .notified(let notifications): received.update { $0 += notifications.map(\.payload) }
            default: isListening.update { $0 = true }
            }
        }
        defer { subscription.stop() }
        _ = isListening.wait(upTo: .seconds(10)) { $0 ? true : nil }
        #expect(try administration.erase(alice))
        #expect(received.wait(upTo: .seconds(10)) { $0.contains("\(id) 3") ? true : nil } == true)
        #expect(try administration.erase(alice) == false)
        #expect(try audit() == ["account.erase host root"])
        #expect(try administration.list(issuer: nil, subject: nil).map(\.user.subject) == ["bob"])
        #expect(try instance.call("GET", "/account")[member: "notes"] == .some([]))
        #expect(try instance.body("n1", as: "bob") == "bob's")
    }
}
