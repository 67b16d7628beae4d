internal import AlmanacRevisions
internal import AlmanacTimestamps
internal import TextMerge

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An action in the server's JSON: `["updateNote", {"action_id": …, "id": …, …}]`.
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
        var tags: Tags?
        var pinned: Bool?
        var created_at: String?
        var updated_at: String?
        var after: Place?
    }

    enum Tags: Encodable {
        case all([String])
        case change(add: [String], remove: [String])

        private enum Key: CodingKey {
            case add, remove
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .all(let tags): try tags.encode(to: encoder)
            case .change(let add, let remove):
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(add, forKey: .add)
                try container.encode(remove, forKey: .remove)
            }
        }
    }

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

    /// The preceding note of a move; null for the first position.
    struct Place: Encodable {
        let id: String?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let id { try container.encode(id) } else { try container.encodeNil() }
        }
    }

    /// Creates the JSON form of a note's pending action, equal for every retry.
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
            // A server without support for tags accepts a note without tags.
            if !action.text.tags.isEmpty { fields.tags = .all(action.text.tags) }
            if action.text.isPinned { fields.pinned = true }
            // Only imported notes have own times, because a server without these members rejects them.
            if record.hasImportedTimes {
                fields.created_at = ServerNote.written(record.createdAt)
                fields.updated_at = ServerNote.written(record.updatedAt)
            }
        case .update:
            name = "updateNote"
            fields.base = record.shadow?.cursor.description
            fields.title = Self.delta(base.title, action.text.title)
            fields.body = Self.delta(base.body, action.text.body)
            fields.change(from: base, to: action.text)
        case .spelledUpdate:
            name = "updateNote"
            // Without a base revision the server reports others' changes of sent parts only, so send unchanged parts
            // too.
            fields.title = Self.diffList(base.title, action.text.title)
            fields.body = Self.diffList(base.body, action.text.body)
            fields.change(from: base, to: action.text)
        case .delete:
            name = "deleteNote"
            fields.base = record.shadow?.cursor.description
        case .restore: name = "restoreNote"
        case .purge: name = "purgeNote"
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

    /// Returns a diff list, which contains its base text even if that is empty or unchanged.
    private static func diffList(_ old: String, _ new: String) -> Text? {
        guard let pairs = try? Delta.between(old, new).diffList(of: old) else { return nil }
        return .delta(WireDelta(pairs.isEmpty ? [.pair(0, "")] : pairs))
    }
}

extension WireAction.Fields {
    fileprivate mutating func change(from old: StoredNote.Text, to new: StoredNote.Text) {
        let (added, removed) = (NoteTags.without(new.tags, old.tags), NoteTags.without(old.tags, new.tags))
        if !added.isEmpty || !removed.isEmpty { tags = .change(add: added, remove: removed) }
        if new.isPinned != old.isPinned { pinned = new.isPinned }
    }
}

/// A delta in JSON: `[12, -3, "new", 40]`, or `[[0, "kept"], [1, "new"]]`.
struct WireDelta: Codable {
    let elements: [DeltaElement]

    init(_ elements: [DeltaElement]) { self.elements = elements }

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

    var delta: EncodedDelta { get throws(DeltaFailure) { try EncodedDelta(elements) } }
}
