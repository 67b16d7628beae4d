import AlmanacJSON
import AlmanacRevisions
import AlmanacTestSupport
import Testing

@testable import AlmanacEventsDomain

@Suite struct MessageTests {
    private let eventID = EventID(
        config: Cursor(revision: 43, lineage: "k3f9"), notes: Cursor(revision: 18, lineage: "k3f9abcd"))

    private func text(_ message: Message, id: EventID? = nil) -> String {
        String(decoding: message.bytes(id: id), as: UTF8.self)
    }

    @Test func `an event is a message with its id and one line of data`() {
        let message = Message("ping") { $0.member("n", 1) }
        #expect(
            text(message, id: eventID)
                == "id: config=43.k3f9,notes=18.k3f9abcd\nevent: message\ndata: {\"type\":\"ping\",\"n\":1}\n\n")
    }

    @Test func `without an id the reader's own stays`() {
        #expect(text(Message("ping")) == "event: message\ndata: {\"type\":\"ping\"}\n\n")
    }

    @Test(arguments: ["a\nb", "a\rb", "a\r\nb", "\n\ndata: {}\n\n", "\u{1}", "\u{2028}", "id: x", "😀"])
    func `no text breaks out of its line`(hostile: String) throws {
        let bytes = Message("noteUpdated") { $0.member("id", hostile) }.bytes(id: eventID)
        #expect(bytes.filter { $0 == 10 }.count == 4)
        #expect(!bytes.contains(13))
        var parser = StrictEventParser()
        let events = try parser.parse(bytes)
        #expect(events.count == 1)
        #expect(events[0].text("id")?.utf8.elementsEqual(hostile.utf8) == true)
    }

    @Test func `hello says where everything stands and how long the token is good`() {
        #expect(
            text(.hello(newest: eventID, version: "1.2.3", tokenExpiresIn: 60)).contains(
                #"{"type":"hello","config":"43.k3f9","notes":"18.k3f9abcd","version":"1.2.3","pingSeconds":20,"#
                    + #""tokenExpiresIn":60}"#))
    }

    @Test func `a reader without the config is not sent its version`() {
        let mine = EventID(notes: eventID.notes)
        #expect(
            text(.hello(newest: mine, version: "1.2.3", tokenExpiresIn: nil)).contains(
                #"{"type":"hello","notes":"18.k3f9abcd","pingSeconds":20}"#))
    }

    @Test func `ping, resync and bye`() {
        #expect(
            text(.ping(at: eventID, tokenExpiresIn: 5)).contains(
                #"{"type":"ping","config":"43.k3f9","notes":"18.k3f9abcd","tokenExpiresIn":5}"#))
        #expect(text(.resync(at: eventID)).contains(#"{"type":"resync","config":"43.k3f9","notes":"18.k3f9abcd"}"#))
        #expect(
            text(.bye(.restarting, spreadMs: 8000)).contains(#"{"type":"bye","reason":"restarting","spreadMs":8000}"#))
    }

    @Test(arguments: [(0, 0), (49, 0), (50, 50), (8000, 8000), (60_000, 60_000), (10_000_000, 60_000)])
    func `clients are spread over a time that grows with their number, within a minute`(streams: Int, milliseconds: Int)
    {
        #expect(Spread.milliseconds(for: streams) == milliseconds)
    }
}
