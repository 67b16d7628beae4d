import AlmanacJSON
import AlmanacTestSupport
import AlmanacTimestamps
import Testing
import TextMerge

@testable import AlmanacEventsDomain

@Suite struct ChangeTests {
    private func data(_ message: Message) throws -> JSONObject {
        try #require(try JSONValue(parsing: message.data).objectValue)
    }

    private func change(
        _ action: String = "updateNote", title: NoteChange.Edit? = nil, body: NoteChange.Edit? = nil, base: Int64? = 4,
        omitsText: Bool = false
    ) throws -> JSONObject {
        try data(
            NoteChange(
                noteID: "n1", revision: 5, action: action, actionID: "phone-1", title: title, body: body, base: base,
                isRestored: action == "restoreNote", omitsText: omitsText
            ).message)
    }

    @Test func `a release names what a client has to fetch`() throws {
        let time = try #require(Timestamp("2020-10-17T18:43:19.999Z"))
        let release = ReleaseChange(revision: 43, version: "2.1.0", releasedAt: time, keys: ["a", "b"])
        #expect(
            String(decoding: release.message(lineage: "k3f9", spreadMs: 80).data, as: UTF8.self)
                == #"{"type":"refetchEvaluation","etag":"\"43.k3f9\"","lastModified":1602960199,"revision":43,"#
                + #""version":"2.1.0","keys":["a","b"],"spreadMs":80}"#)
    }

    @Test func `a release of too many keys leaves them out`() throws {
        let release = ReleaseChange(revision: 43, version: "2.1.0", releasedAt: Timestamp(milliseconds: 0), keys: nil)
        #expect(try data(release.message(lineage: "k3f9", spreadMs: 0))["keys"] == nil)
    }

    @Test(
        arguments: [
            ("createNote", "noteCreated", nil), ("updateNote", "noteUpdated", nil), ("moveNote", "notesReordered", nil),
            ("deleteNote", "noteDeleted", nil), ("purgeNote", "noteDeleted", "purged"),
            ("restoreNote", "noteUpdated", "restored"),
        ])
    func `every action has its event`(action: String, type: String, mark: String?) throws {
        let data = try change(action)
        #expect(data["type"]?.stringValue == type)
        #expect(data["id"] == "n1")
        #expect(data["revision"] == 5)
        #expect(data["action_id"] == "phone-1")
        for name in ["purged", "restored"] { #expect((data[name] == true) == (mark == name)) }
        for name in ["base", "title", "body"] { #expect(data[name] == nil) }
    }

    @Test(arguments: [
        ("", ""), ("", "milk"), ("milk", ""), ("milk", "milk\nbread"), ("a😀b", "a😁b"), ("e\u{301}", "é"),
    ])
    func `the delta makes the new text of the old one`(old: String, new: String) throws {
        let data = try change(title: .init(old: new, new: old), body: .init(old: old, new: new))
        #expect(data["base"] == 4)
        #expect(try apply(data["body"], to: old).utf8.elementsEqual(new.utf8))
        #expect(try apply(data["title"], to: new).utf8.elementsEqual(old.utf8))
    }

    @Test func `a first text is a delta of nothing`() throws {
        let data = try change(
            "createNote", title: .init(old: nil, new: "T"), body: .init(old: nil, new: "milk"), base: nil)
        #expect(data["base"] == nil)
        #expect(try apply(data["body"], to: "") == "milk")
    }

    @Test func `a text that stayed is not sent`() throws {
        let data = try change(body: .init(old: "a", new: "b"))
        #expect(data["title"] == nil)
        #expect(NoteChange.Edit(old: "a", new: nil) == nil)
    }

    @Test func `a long delta is left out, with its base and the other one`() throws {
        let long = String(repeating: "x", count: 5000)
        let data = try change(title: .init(old: "a", new: "b"), body: .init(old: "", new: long))
        for name in ["base", "title", "body"] { #expect(data[name] == nil) }
        #expect(data["revision"] == 5)
        // The delta of a small change is short even for a long text.
        #expect(try apply(change(body: .init(old: long, new: long + "!"))["body"], to: long) == long + "!")
    }

    @Test func `without all texts no delta is sent`() throws {
        let data = try change(title: .init(old: "a", new: "b"), omitsText: true)
        for name in ["base", "title", "body"] { #expect(data[name] == nil) }
    }
}

/// Applies an event's delta to a text.
func apply(_ delta: JSONValue?, to base: String) throws -> String {
    let elements: [DeltaElement] = try #require(delta?.arrayValue).map { element in
        if let text = element.stringValue { return .text(text) }
        return .integer(Int(try #require(element.numberValue?.int64)))
    }
    return try EncodedDelta(elements).apply(to: base)
}
