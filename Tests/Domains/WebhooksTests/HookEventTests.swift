import AlmanacJSON
import AlmanacWebhooks
import Testing

@Suite struct HookEventTests {
    private static func event(_ changes: [HookEvent.Change] = [], message: String = "Raise the limit") -> HookEvent {
        var event = HookEvent(.releaseCreated, at: "2026-12-01T10:00:00.000Z", environment: "production")
        event.revision = 43
        event.previousRevision = 42
        event.version = "1.4.0"
        event.author = "Ada"
        event.message = message
        event.address = "https://console.example.com/#/production/releases/43"
        event.changes = changes
        return event
    }

    @Test func `the body names the release and its changes, and leaves out missing values`() {
        let event = Self.event([
            HookEvent.Change(key: "a.b", before: nil, after: .null), HookEvent.Change(key: "c", before: 1, after: nil),
        ])
        let text = String(decoding: event.body().serialized(), as: UTF8.self)
        #expect(
            text == """
                {"type":"release.created","timestamp":"2026-12-01T10:00:00.000Z","data":{"environment":"production",\
                "revision":43,"previous_revision":42,"version":"1.4.0","author":"Ada","message":"Raise the limit",\
                "address":"https://console.example.com/#/production/releases/43",\
                "changes":[{"key":"a.b","after":null},{"key":"c","before":1}]}}
                """)
    }

    @Test(arguments: [(19_900, true), (20_100, false)])
    func `long changes are keys alone`(_ bytes: Int, _ hasValues: Bool) {
        let value = JSONValue.string(String(repeating: "x", count: bytes))
        let event = Self.event([HookEvent.Change(key: "a", before: nil, after: value)])
        #expect(event.body() == (hasValues ? event.body() : event.body(withValues: false)))
        #expect((event.body().serialized().count > 19_000) == hasValues)
    }

    @Test func `values stay behind without the right to read`() {
        let event = Self.event([HookEvent.Change(key: "key", before: "old-secret", after: "new-secret")])
        for format in HookFormat.allCases {
            let text = "\(format.body(of: event, withValues: false))"
            #expect(!text.contains("secret") && text.contains("key"))
        }
    }

    @Test func `the facts of other events are in the body and in the chats`() {
        let facts = JSONObject([("number", 4), ("title", "Raise the limit"), ("author", "Ada")])
        let event = HookEvent(
            .proposalSubmitted, at: "2026-12-01T10:00:00.000Z", environment: "production", facts: facts)
        #expect(
            "\(event.body())" == """
                {"type":"proposal.submitted","timestamp":"2026-12-01T10:00:00.000Z","data":\
                {"environment":"production","number":4,"title":"Raise the limit","author":"Ada"}}
                """)
        let content = HookFormat.discord.body(of: event, withValues: true).objectValue?["content"]
        #expect(content == "production:\u{200B} proposal submitted by Ada\nRaise the limit")
    }

    @Test func `ids differ and hold no full stop`() {
        let ids = [
            HookEvent.id(.releaseCreated, of: .revision(43), lineage: "0a1b2c3d"),
            HookEvent.id(.flagDisabled, of: .revision(43), lineage: "0a1b2c3d", key: "pay.new"),
            HookEvent.id(.flagDisabled, of: .revision(43), lineage: "0a1b2c3d", key: "pay-new"),
            HookEvent.id(.proposalChanged, of: .proposal(4, version: 3), lineage: "0a1b2c3d"),
            HookEvent.id(.tokenExpiring, of: .token("43"), lineage: "0a1b2c3d"),
            HookEvent.id(.hookDisabled, of: .hook("43", since: 5), lineage: "0a1b2c3d"),
        ]
        #expect(Set(ids).count == ids.count && !ids.contains { $0.contains(".") })
        #expect(ids[1] == "0a1b2c3d:r43:flag:disabled:pay:new")
    }

    @Test(arguments: [
        "@everyone", "<!channel>", "<@U024BE7LH>", "<@&123>", "https://evil.example/", "[a](https://evil.example)",
        "www.evil.example", "<https://evil.example|bank>", "#general", "~town-square", "<at>Ada</at>", "*a* _b_ `c`",
    ])
    func `texts of people are data`(_ typed: String) throws {
        let event = Self.event(message: typed)
        let slack = HookFormat.slack.body(of: event, withValues: true).objectValue
        let text = try #require(slack?["text"]?.stringValue)
        #expect(
            !text.contains(typed) && !text.contains("<") && !text.contains("://") && !text.contains("](")
                && !text.contains("@everyone") && !text.contains("www.e"))
        // A section of plain text is shown as it is.
        let sections = slack?["blocks"]?.arrayValue?.filter { $0.objectValue?["type"] == "section" } ?? []
        #expect(sections.count == 2)
        for section in sections { #expect(section.objectValue?["text"]?.objectValue?["type"] == "plain_text") }

        let discord = HookFormat.discord.body(of: event, withValues: true).objectValue
        let content = try #require(discord?["content"]?.stringValue)
        #expect(discord?["allowed_mentions"] == ["parse": []] && discord?["flags"] == 4)
        #expect(!content.contains(typed) && content.count(of: "://") == 1)

        let teams = HookFormat.teams.body(of: event, withValues: true)
        let card = teams.objectValue?["attachments"]?.arrayValue?.first?.objectValue?["content"]?.objectValue
        #expect(card?["version"] == "1.5" && card?["msteams"] == nil)
        let blocks = try #require(card?["body"]?.arrayValue)
        for block in blocks { #expect(block.objectValue?["type"] == "RichTextBlock") }
    }

    @Test func `long messages are shortened`() throws {
        let changes = (0..<40).map { HookEvent.Change(key: "key-\($0)-" + String(repeating: "_", count: 118)) }
        let event = Self.event(changes, message: String(repeating: "e\u{301}\n", count: 4000))
        let content = HookFormat.discord.body(of: event, withValues: true).objectValue?["content"]?.stringValue
        #expect(try #require(content).utf16.count <= 2000 && #require(content).contains("and 38 more"))
    }
}

extension String {
    /// Counts the occurrences of a text.
    fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
