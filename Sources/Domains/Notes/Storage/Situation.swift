internal import AlmanacPostgreSQL

/// What an action finds when its turn has come.
struct Situation {
    /// The note that it names, which may be a tombstone; nil when there never was one.
    let note: Note?
    /// What the same action did when it came before; nil when it is new.
    let earlier: Earlier?

    struct Earlier {
        let noteID: String
        let first: ActionResult.First
    }

    init(_ row: Row) throws(PostgresFailure) {
        note = try row.optionalText("id") == nil ? nil : Note(row)
        guard let noteID = try row.optionalText("acted_on") else {
            earlier = nil
            return
        }
        earlier = Earlier(
            noteID: noteID,
            first: ActionResult.First(
                status: try row.text("acted_status"), revision: try row.bigint("acted_revision"),
                isRestored: try row.boolean("acted_restored")))
    }
}
