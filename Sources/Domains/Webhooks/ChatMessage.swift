internal import AlmanacJSON

/// The message of an event in a chat. Texts of people stay data: they mention nobody and make no links.
struct ChatMessage {
    /// The line that says what happened.
    let title: String
    /// The author's message, shortened.
    let message: String
    /// The changed keys, shortened.
    let keys: String
    /// The address in the console, made by the server.
    let address: String?

    /// The limit on the author's message and on the keys, each in characters. Discord allows 2,000 for everything, and
    /// an inert text may be twice as long.
    private static let characterLimit = 300

    init(_ event: HookEvent) {
        let version = event.version.map { " \($0)" } ?? ""
        let author =
            (event.author ?? event.facts["author"]?.stringValue).map { " by \(Self.shortened($0, to: 100))" } ?? ""
        title = "\(event.environment): \(event.kind.phrase)\(version)\(author)"
        message = Self.shortened(event.message ?? event.facts["title"]?.stringValue ?? "", to: Self.characterLimit)
        var shown: [String] = []
        var characters = 0
        for change in event.changes {
            characters += change.key.utf8.count + 2
            guard characters <= Self.characterLimit else { break }
            shown.append(change.key)
        }
        let hidden = event.changes.count - shown.count
        keys = shown.joined(separator: ", ") + (hidden > 0 ? " and \(hidden) more" : "")
        address = event.address ?? event.facts["address"]?.stringValue
    }

    /// The body for an incoming webhook of Slack, whose plain text has no mentions. Mattermost shows only `text`.
    var slack: JSONValue {
        var blocks: [JSONValue] = lines.map { ["type": "section", "text": Self.slackText($0)] }
        if let address {
            let link = "<\(address.replacing("|", with: "%7C").replacing(">", with: "%3E"))|Open in Almanac>"
            blocks.append(["type": "context", "elements": [["type": "mrkdwn", "text": .string(link)]]])
        }
        let text = lines.map(Self.inert).joined(separator: "\n")
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return ["text": .string(text), "blocks": .array(blocks)]
    }

    /// The body for a webhook of Discord. The flag leaves out previews of links.
    var discord: JSONValue {
        let text = (lines.map(Self.inert) + (address.map { ["<\($0)>"] } ?? [])).joined(separator: "\n")
        return ["content": .string(text), "allowed_mentions": ["parse": []], "flags": 4]
    }

    /// The body for Teams. Text runs have no Markdown, and a mention would need a declaration in `msteams`.
    var teams: JSONValue {
        let body = lines.enumerated().map { index, line -> JSONValue in
            [
                "type": "RichTextBlock",
                "inlines": [
                    ["type": "TextRun", "text": .string(line), "weight": index == 0 ? "Bolder" : "Default"]
                ],
            ]
        }
        let actions: [JSONValue] =
            address.map { [["type": "Action.OpenUrl", "title": "Open in Almanac", "url": .string($0)]] } ?? []
        return [
            "type": "message",
            "attachments": [
                [
                    "contentType": "application/vnd.microsoft.card.adaptive",
                    "content": [
                        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard",
                        "version": "1.5", "body": .array(body), "actions": .array(actions),
                    ],
                ]
            ],
        ]
    }

    private var lines: [String] { [title, message, keys].filter { !$0.isEmpty } }

    private static func slackText(_ text: String) -> JSONValue {
        ["type": "plain_text", "text": .string(text), "emoji": false]
    }

    /// Separates the characters of mentions, links and formatting from their neighbours by a space of no width.
    static func inert(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            result.unicodeScalars.append(character)
            if "@#~!<[](:/.*_`\\|".unicodeScalars.contains(character) { result.unicodeScalars.append("\u{200B}") }
        }
        return result
    }

    /// Returns a text on one line without control characters, at most `limit` characters long.
    private static func shortened(_ text: String, to limit: Int) -> String {
        // A letter with thousands of accents is one character.
        let scalars = text.unicodeScalars.prefix(limit)
        let isWhole = text.unicodeScalars.count <= limit
        let line = String(String.UnicodeScalarView(scalars)).split(whereSeparator: \.isNewline).joined(separator: " ")
        let shown = line.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(shown)) + (isWhole ? "" : "…")
    }
}

extension HookEvent.Kind {
    /// The phrase for people.
    fileprivate var phrase: String {
        switch self {
        case .releaseCreated: "release"
        case .proposalSubmitted: "proposal submitted"
        case .proposalApproved: "proposal approved"
        case .proposalRejected: "proposal rejected"
        case .proposalChanged: "proposal changed"
        case .proposalConflicted: "proposal conflicts with a release"
        case .proposalFailed: "proposal could not be applied at its time"
        case .proposalMissed: "proposal missed its time"
        case .proposalApplied: "proposal applied"
        case .proposalBypassed: "proposal applied without approval"
        case .proposalWithdrawn: "proposal withdrawn"
        case .proposalExpiring: "proposal expires soon"
        case .flagDisabled: "flag disabled"
        case .tokenExpiring: "token expires soon"
        case .hookDisabled: "hook disabled"
        case .hookTest: "test of a hook"
        }
    }
}
