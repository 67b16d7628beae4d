internal import AlmanacForms

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A note from another source, such as another program's export.
public struct ImportedNote: Sendable {
    /// The id, equal in every import of the same note: 1 to 64 letters, digits, `_` and `-`.
    public var id: String
    /// The title, body, tags and pin.
    public var text: StoredNote.Text
    /// The time of creation; nil for now. A later time counts as now.
    public var createdAt: Date?
    /// The time of the last edit; nil for the time of creation.
    public var updatedAt: Date?
    /// True if the note belongs in the trash.
    public var isInTrash: Bool

    /// Creates a note, by default a new one for the list.
    public init(
        id: String, text: StoredNote.Text, createdAt: Date? = nil, updatedAt: Date? = nil, isInTrash: Bool = false
    ) {
        self.id = id
        self.text = text
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.isInTrash = isInTrash
    }

    /// Returns true if a text is a valid id of a note.
    public static func isID(_ text: String) -> Bool { NoteID.isValid(text) }
}

extension NotesStore {
    /// Adds notes at the end of the list, all of them or none.
    ///
    /// A note whose id exists, even if pending removal, is not changed, so an import can be repeated.
    ///
    /// - Returns: the ids of the added notes.
    @discardableResult public func add(_ notes: [ImportedNote]) throws(NotesFailure) -> [String] {
        let now = milliseconds
        var records: [NoteRecord] = []
        for note in notes {
            guard ImportedNote.isID(note.id) else {
                throw .textRefused("an id must have 1 to 64 letters, digits, '_' and '-'")
            }
            let text = try checked(note.text)
            if let refusal = NoteTags.refusal(ofCount: text.tags.count) { throw .textRefused(refusal) }
            let created = min(now, note.createdAt.map(Self.milliseconds) ?? now)
            let updated = min(now, max(created, note.updatedAt.map(Self.milliseconds) ?? created))
            var record = NoteRecord(id: note.id, text: text, createdAt: created, updatedAt: updated)
            record.hasImportedTimes = note.createdAt != nil || note.updatedAt != nil
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
