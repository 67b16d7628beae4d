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
    let sent: NoteText
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

    /// Writes what is on its way for a note, the same every time.
    init(_ flight: NoteRecord.Flight, of record: NoteRecord) {
        id = flight.actionID
        noteID = record.id
        sent = flight.text
        fields = Fields(action_id: flight.actionID, id: record.id)
        let base = record.shadow?.text ?? NoteText()
        switch flight.kind {
        case .create:
            name = "createNote"
            fields.title = .whole(flight.text.title)
            fields.body = .whole(flight.text.body)
        case .update:
            name = "updateNote"
            fields.base = record.shadow?.cursor.description
            fields.title = Self.delta(base.title, flight.text.title)
            fields.body = Self.delta(base.body, flight.text.body)
        case .spelledUpdate:
            name = "updateNote"
            fields.title = Self.diffList(base.title, flight.text.title)
            fields.body = Self.diffList(base.body, flight.text.body)
        case .delete:
            name = "deleteNote"
            fields.base = record.shadow?.cursor.description
        case .restore:
            name = "restoreNote"
        case .move:
            name = "moveNote"
            fields.after = Place(id: flight.after)
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
