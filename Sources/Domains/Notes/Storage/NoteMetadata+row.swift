internal import AlmanacJSON
internal import AlmanacPostgreSQL

extension NoteMetadata {
    /// Reads the columns `tags` and `pinned`.
    init(_ row: Row) throws(PostgresFailure) {
        tags = try Tags(stored: row.text("tags"))
        isPinned = try row.boolean("pinned")
    }

    /// Reads the same columns of a history row. Outer nil: the action left both unchanged. Inner nil: thinned out.
    static func written(in row: Row) throws(PostgresFailure) -> NoteMetadata?? {
        if try row.boolean("tags_thinned") { return .some(nil) }
        return try row.optionalText("tags") == nil ? nil : .some(NoteMetadata(row))
    }

    /// Returns the parameters for the two columns; null if the metadata stays unchanged.
    static func parameters(_ metadata: NoteMetadata?) -> (tags: Parameter, isPinned: Parameter) {
        (.text(metadata?.tags.stored), .boolean(metadata?.isPinned))
    }
}

extension Tags {
    /// Reads an object such as `{"work": 17}`, with the revision at which each tag was added.
    fileprivate init(stored text: String) throws(PostgresFailure) {
        // Most notes have no tags.
        if text == "{}" { return }
        guard let object = (try? JSONValue(parsing: Array(text.utf8)))?.objectValue else {
            throw .unexpectedResult("the tags of a note are not an object")
        }
        for member in object.members { add(member.name, at: member.value.numberValue?.int64 ?? 0) }
    }

    /// The object that `init(stored:)` reads.
    fileprivate var stored: String {
        let object = JSONWriter.object { writer in for member in members { writer.member(member.tag, member.revision) }
        }
        return String(decoding: object, as: UTF8.self)
    }
}
