internal import AlmanacJSON
internal import AlmanacTimestamps

/// One row of `config_entries`: the value of a key for a range of majors, or the tombstone of a removed key.
final class Entry: Sendable {
    let id: Int64
    let key: String
    /// What its value is; of a tombstone, what was removed.
    let kind: EntryKind
    /// The majors that see it; without an upper bound it is the newest of its key.
    let firstMajor: Int
    let endMajor: Int?
    /// The value as JSON text; nil in a tombstone.
    let value: [UInt8]?
    let description: String
    /// The longest description, in bytes.
    static let longestDescription = 4096
    let revision: Int64
    let updatedAt: Timestamp
    /// Who made the release that it is of; nil where that is not kept.
    let author: String?
    /// When the key was last a plain value, of one that no more is.
    let valueEnd: ValueEnd?
    /// `{"key","value","updated_at"}`, or for a tombstone `{"key","deleted","updated_at"}`, ready to send.
    let json: [UInt8]

    /// The moment at which a key was no plain value any more.
    struct ValueEnd: Sendable {
        let revision: Int64
        let at: Timestamp
    }

    init(
        id: Int64, key: String, kind: EntryKind = .value, firstMajor: Int, endMajor: Int?, value: [UInt8]?,
        description: String, revision: Int64,
        updatedAt: Timestamp, author: String? = nil, valueEnd: ValueEnd? = nil
    ) {
        self.id = id
        self.key = key
        self.kind = kind
        self.firstMajor = firstMajor
        self.endMajor = endMajor
        self.value = value
        self.description = description
        self.revision = revision
        self.updatedAt = updatedAt
        self.author = author
        self.valueEnd = valueEnd
        json = EntryJSON.short(key: key, kind: kind, value: value, updatedAt: updatedAt)
    }

    var isTombstone: Bool { value == nil }
    var isNewest: Bool { endMajor == nil }

    func isSeen(by major: Int) -> Bool {
        firstMajor <= major && (endMajor.map { major < $0 } ?? true)
    }

    /// What there is of it for those who may not read flags: nothing of a flag, but that a value had its key before.
    var withoutFlag: Entry? {
        if kind == .value { return self }
        return valueEnd.map {
            Entry(
                id: id, key: key, firstMajor: firstMajor, endMajor: endMajor, value: nil, description: "",
                revision: $0.revision, updatedAt: $0.at)
        }
    }

    /// The same row for the majors before another one.
    func ending(at major: Int) -> Entry {
        Entry(
            id: id, key: key, kind: kind, firstMajor: firstMajor, endMajor: major, value: value,
            description: description, revision: revision, updatedAt: updatedAt, author: author, valueEnd: valueEnd)
    }

    /// Whether it sorts before another: by key, then by majors.
    func precedes(_ other: Entry) -> Bool {
        key == other.key
            ? firstMajor < other.firstMajor : key.utf8.lexicographicallyPrecedes(other.key.utf8)
    }
}

/// The JSON forms of one entry.
enum EntryJSON {
    /// The member of an array answer; a nil value makes a tombstone.
    static func short(key: String, kind: EntryKind, value: [UInt8]?, updatedAt: Timestamp) -> [UInt8] {
        JSONWriter.object { writer in
            writer.members(key: key, kind)
            if let value { writer.member("value", raw: value) } else { writer.member("deleted", true) }
            writer.member("updated_at", updatedAt.description)
        }
    }

    /// The most characters of a value that stand in a summary.
    private static let shownCharacters = 200

    /// The member of a summary: what a list of entries shows, however large their values are.
    static func summary(_ entry: Entry) -> [UInt8] {
        let value = entry.value ?? []
        let shown = CompactBeginning(of: value, characters: shownCharacters)
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
            writer.member("author", value: entry.author.map { .string($0) } ?? .null)
        }
    }

    /// The answer for one entry, with everything that is known of it.
    static func long(_ entry: Entry) -> [UInt8] {
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
    /// The members that say which entry something is about; a plain value's kind goes without saying.
    mutating func members(key: String, _ kind: EntryKind) {
        member("key", key)
        if kind != .value { member("kind", kind.rawValue) }
    }
}
