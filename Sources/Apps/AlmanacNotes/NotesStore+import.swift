internal import AlmanacForms

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A note that comes from elsewhere, such as another program's export.
public struct ImportedNote: Sendable {
    /// The same each time that it is imported: 1 to 64 letters, digits, `_` and `-`.
    public var id: String
    /// Its title and body, tags and pin.
    public var text: StoredNote.Text
    /// Nil for now; later than now counts as now.
    public var createdAt: Date?
    /// Nil for the time of its creation.
    public var updatedAt: Date?
    /// Whether it goes into the trash.
    public var isInTrash: Bool

    /// By default a note of the list, made now.
    public init(
        id: String, text: StoredNote.Text, createdAt: Date? = nil, updatedAt: Date? = nil, isInTrash: Bool = false
    ) {
        self.id = id
        self.text = text
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.isInTrash = isInTrash
    }

    /// Whether a text can be the id of a note.
    public static func isID(_ text: String) -> Bool { NoteID.isValid(text) }
}

extension NotesStore {
    /// Makes many notes at the end of the list, all of them or none.
    ///
    /// A note whose id is there already, be it in the list, in the trash or about to be removed, stays as it is, so
    /// that the same notes can be imported again.
    ///
    /// - Returns: the ids of the notes that were made.
    @discardableResult
    public func add(_ notes: [ImportedNote]) throws(NotesFailure) -> [String] {
        let now = milliseconds
        var records: [NoteRecord] = []
        for note in notes {
            guard ImportedNote.isID(note.id) else {
                throw .textRefused("an id has 1 to 64 letters, digits, '_' and '-'")
            }
            let text = try checked(note.text)
            if let refusal = NoteTags.refusal(ofCount: text.tags.count) { throw .textRefused(refusal) }
            let created = min(now, note.createdAt.map(Self.milliseconds) ?? now)
            let updated = min(now, max(created, note.updatedAt.map(Self.milliseconds) ?? created))
            var record = NoteRecord(id: note.id, text: text, createdAt: created, updatedAt: updated)
            record.hasOwnTimes = note.createdAt != nil || note.updatedAt != nil
            if note.isInTrash { record.moveToTrash() }
            records.append(record)
        }
        let made = try writing {
            try records.compactMap { record -> String? in
                guard try table.find(record.id) == nil else { return nil }
                try table.save(record)
                return record.id
            }
        }
        announce(Set(made))
        return made
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        return Int64(max(-62_135_596_800_000, min(253_402_300_799_999, milliseconds)))
    }
}
