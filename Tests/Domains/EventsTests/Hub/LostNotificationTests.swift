import AlmanacIdentity
import AlmanacJSON
import AlmanacTestSupport
import Testing

/// Tests that streams work without any notification.
@Suite(.database(.migrated)) struct LostNotificationTests {
    @Test func `lost notifications are healed within seconds`() throws {
        let instance = try EventsInstance(listens: false)
        let token = try instance.makeToken(.admin).text
        let alice = try instance.open(as: "alice")
        let bob = try instance.open(as: "bob")
        for reader in [alice, bob] { _ = try reader.next() }
        try instance.act(#"[["createNote",{"id":"n1","body":"milk"}]]"#)
        #expect(try alice.next(within: .seconds(6))?.type == "noteCreated")
        try instance.act(#"[["updateNote",{"id":"n1","base":1,"body":[-4,"bread"]}]]"#)
        try instance.patch(#"{"a":1}"#, token: token)
        let both = try [alice.next(within: .seconds(6)), alice.next(within: .seconds(6))].map { $0?.type ?? "-" }
        #expect(both.sorted() == ["noteUpdated", "refetchEvaluation"])
        #expect(try bob.next(within: .seconds(6))?.type == "refetchEvaluation")
    }

    @Test func `the streams outlive the database's absence`() throws {
        let instance = try EventsInstance()
        let token = try instance.makeToken(.admin).text
        let reader = try instance.open()
        _ = try reader.next()
        try instance.asSuperuser(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() "
                + "and pid <> pg_backend_pid()")
        #expect(eventually { (try? instance.patch(#"{"a":1}"#, token: token)) != nil })
        #expect(try reader.next(within: .seconds(6))?.number("revision") == 1)
    }
}
