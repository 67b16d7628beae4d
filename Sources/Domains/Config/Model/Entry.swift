internal import AlmanacJSON
internal import AlmanacTimestamps

/// A row of `config_entries`: the value of a key for a range of majors, or the tombstone of a removed key.
final class Entry: Sendable {
    let id: Int64
    let key: String
    /// The kind of the value; in a tombstone, the kind of the removed value.
    let kind: EntryKind
    /// The majors that see the row. Without an end, the row is the newest of its key.
    let majors: MajorRange
    /// The value as JSON text; nil in a tombstone.
    let value: [UInt8]?
    let description: String
    /// The maximum length of a description, in bytes.
    static let maxDescriptionBytes = 4096
    let revision: Int64
    let updatedAt: Timestamp
    /// The author of the row's release; nil if the author is not stored.
    let author: ReleaseAuthor?
    /// The moment at which the key stopped being a plain value, if it ever did.
    let plainValueEnd: PlainValueEnd?
    /// The JSON for responses: `{"key","value","updated_at"}`, or for a tombstone `{"key","deleted","updated_at"}`.
    let json: [UInt8]

    /// The moment at which a key stopped being a plain value.
    struct PlainValueEnd: Sendable {
        let revision: Int64
        let at: Timestamp
    }

    init(
        id: Int64, key: String, kind: EntryKind = .value, majors: MajorRange, value: [UInt8]?, description: String,
        revision: Int64, updatedAt: Timestamp, author: ReleaseAuthor? = nil, plainValueEnd: PlainValueEnd? = nil
    ) {
        self.id = id
        self.key = key
        self.kind = kind
        self.majors = majors
        self.value = value
        self.description = description
        self.revision = revision
        self.updatedAt = updatedAt
        self.author = author
        self.plainValueEnd = plainValueEnd
        json = EntryJSON.listElement(key: key, kind: kind, value: value, updatedAt: updatedAt)
    }

    var isTombstone: Bool { value == nil }
    var isNewest: Bool { majors.end == nil }

    /// The entry for callers who may not read flags. A flag becomes nil, or a tombstone if it replaced a plain value.
    var withoutFlag: Entry? {
        if kind == .value { return self }
        return plainValueEnd.map {
            Entry(
                id: id, key: key, majors: majors, value: nil, description: "", revision: $0.revision, updatedAt: $0.at)
        }
    }

    /// Returns a copy of the row for other majors.
    func seen(by majors: MajorRange) -> Entry {
        Entry(
            id: id, key: key, kind: kind, majors: majors, value: value, description: description, revision: revision,
            updatedAt: updatedAt, author: author, plainValueEnd: plainValueEnd)
    }

    /// Returns true if the row sorts before another: by key, then by majors.
    func precedes(_ other: Entry) -> Bool {
        key == other.key ? majors.first < other.majors.first : key.utf8.lexicographicallyPrecedes(other.key.utf8)
    }
}

enum EntryJSON {
    /// Returns an element of an array response. A nil value makes a tombstone.
    static func listElement(key: String, kind: EntryKind, value: [UInt8]?, updatedAt: Timestamp) -> [UInt8] {
        JSONWriter.object { writer in
            writer.members(key: key, kind)
            if let value { writer.member("value", raw: value) } else { writer.member("deleted", true) }
            writer.member("updated_at", updatedAt.description)
        }
    }

    /// The maximum length of a value in a summary, in Unicode scalars.
    private static let maxSummaryScalars = 200

    /// Returns an element of a summary, which stays small for large values.
    ///
    /// - Parameter authorName: the name of the person behind the author, or null; nil leaves the member out.
    static func summary(_ entry: Entry, authorName: JSONValue? = nil) -> [UInt8] {
        let value = entry.value ?? []
        let shown = CompactPrefix(of: value, characters: maxSummaryScalars)
        return JSONWriter.object(capacity: shown.bytes.count + 384) { writer in
            writer.members(key: entry.key, entry.kind)
            writer.member("type", JSONType(ofText: value).rawValue)
            writer.member("bytes", Int64(value.count))
            if shown.isWhole {
                writer.member("value", raw: shown.bytes)
            } else {
                writer.member("preview", raw: shown.quoted)
            }
            writer.member("description", entry.description)
            writer.member("updated_at", entry.updatedAt.description)
            writer.member("revision", entry.revision)
            writer.member("author", value: entry.author.map { .string($0.text) } ?? .null)
            if let authorName { writer.member("author_name", value: authorName) }
        }
    }

    /// Returns the response for a single entry.
    static func document(_ entry: Entry) -> [UInt8] {
        JSONWriter.object { writer in
            writer.members(key: entry.key, entry.kind)
            writer.member("value", raw: entry.value ?? Array("null".utf8))
            writer.member("description", entry.description)
            writer.member("updated_at", entry.updatedAt.description)
            writer.member("revision", entry.revision)
        }
    }
}

extension JSONWriter {
    /// Writes the key and the kind of an entry, but omits the kind of a plain value.
    mutating func members(key: String, _ kind: EntryKind) {
        member("key", key)
        if kind != .value { member("kind", kind.rawValue) }
    }
}
