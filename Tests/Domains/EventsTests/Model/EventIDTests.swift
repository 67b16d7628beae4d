import AlmanacRevisions
import Testing

@testable import AlmanacEventsDomain

@Suite struct EventIDTests {
    @Test(arguments: [
        "config=43.k3f9", "notes=18.k3f9abcd", "config=43.k3f9,notes=18.k3f9abcd", "config=0.k3f9,notes=0.k3f9",
    ])
    func `a written id is read again`(text: String) throws {
        #expect(try #require(EventID(text)).description == text)
    }

    @Test func `both orders are understood`() {
        #expect(EventID("notes=18.k3f9,config=43.k3f9") == EventID("config=43.k3f9,notes=18.k3f9"))
        #expect(
            EventID("notes=18.k3f9,config=43.k3f9")
                == EventID(config: Cursor(revision: 43, lineage: "k3f9"), notes: Cursor(revision: 18, lineage: "k3f9")))
    }

    @Test(
        arguments: [
            "", " ", ",", "=", "config", "config=", "config=43", "config=.k3f9", "config=k3f9", "config=-1.k3f9",
            "config=43.K3F9", "config=43.k3f9,", ",config=43.k3f9", "config=43.k3f9,config=43.k3f9",
            "notes=1.k3f9,config=43.k3f9,notes=1.k3f9", "config=43.k3f9, notes=1.k3f9", "config = 43.k3f9",
            "Config=43.k3f9", "flags=43.k3f9", "config=43.k3f9=", "config=43.k3f9;notes=1.k3f9", "config=٤٣.k3f9",
            "config=1234567890123456789.k3f9", "config=43.k", "config=43.k3f9\n", "config=43.k3f9\u{0}",
            "config\u{301}=43.k3f9",
            "config=43.\(String(repeating: "k", count: 25))", String(repeating: "config=43.k3f9,", count: 10_000),
            "config=43.k3f9" + String(repeating: " ", count: 200),
        ])
    func `anything else is no id`(text: String) {
        #expect(EventID(text) == nil)
    }
}
