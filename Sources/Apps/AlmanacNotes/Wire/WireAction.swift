internal import AlmanacRevisions
internal import TextMerge

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An action as it is sent: `["updateNote", {"action_id": …, "id": …, …}]`.
struct WireAction: Encodable {
    let id: String
    let noteID: String
    let sent: StoredNote.Text
    let kind: NoteRecord.PendingAction.Kind
    private let name: String
    private var fields: Fields

    struct Fields: Encodable {
        var action_id: String
        var id: String
        var base: String?
        var title: Text?
        var body: Text?
        var after: Place?
    }

    /// A text as it is, or a change of one.
    enum Text: Encodable {
        case whole(String)
        case delta(WireDelta)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .whole(let text): try text.encode(to: encoder)
            case .delta(let delta): try delta.encode(to: encoder)
            }
        }
    }

    /// Behind a note; null for the first place.
    struct Place: Encodable {
        let id: String?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let id { try container.encode(id) } else { try container.encodeNil() }
        }
    }

    /// Writes the pending action of a note, the same every time.
    init(_ action: NoteRecord.PendingAction, of record: NoteRecord) {
        id = action.id
        noteID = record.id
        sent = action.text
        kind = action.kind
        fields = Fields(action_id: action.id, id: record.id)
        let base = record.shadow?.text ?? StoredNote.Text()
        switch action.kind {
        case .create:
            name = "createNote"
            fields.title = .whole(action.text.title)
            fields.body = .whole(action.text.body)
        case .update:
            name = "updateNote"
            fields.base = record.shadow?.cursor.description
            fields.title = Self.delta(base.title, action.text.title)
            fields.body = Self.delta(base.body, action.text.body)
        case .spelledUpdate:
            name = "updateNote"
            fields.title = Self.diffList(base.title, action.text.title)
            fields.body = Self.diffList(base.body, action.text.body)
        case .delete:
            name = "deleteNote"
            fields.base = record.shadow?.cursor.description
        case .restore:
            name = "restoreNote"
        case .purge:
            name = "purgeNote"
        case .move:
            name = "moveNote"
            fields.after = Place(id: action.after)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(name)
        try container.encode(fields)
    }

    /// The action in JSON.
    var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self))
        }
    }

    private static func delta(_ old: String, _ new: String) -> Text? {
        old.isIdentical(to: new) ? nil : .delta(WireDelta(Delta.between(old, new).elements))
    }

    private static func diffList(_ old: String, _ new: String) -> Text? {
        guard !old.isIdentical(to: new), let pairs = try? Delta.between(old, new).diffList(of: old) else { return nil }
        return .delta(WireDelta(pairs))
    }
}

/// A delta in JSON: `[12, -3, "new", 40]`, or `[[0, "kept"], [1, "new"]]`.
struct WireDelta: Codable {
    let elements: [DeltaElement]

    init(_ elements: [DeltaElement]) {
        self.elements = elements
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var elements: [DeltaElement] = []
        while !container.isAtEnd {
            if let number = try? container.decode(Int.self) {
                elements.append(.integer(number))
            } else {
                elements.append(.text(try container.decode(String.self)))
            }
        }
        self.elements = elements
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in elements {
            switch element {
            case .integer(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .pair(let code, let text):
                var pair = container.nestedUnkeyedContainer()
                try pair.encode(code)
                try pair.encode(text)
            case .other: try container.encodeNil()
            }
        }
    }

    var delta: WrittenDelta {
        get throws(DeltaFailure) { try WrittenDelta(elements) }
    }
}
