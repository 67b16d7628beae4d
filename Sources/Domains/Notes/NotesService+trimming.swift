internal import AlmanacPostgreSQL

/// How far the trimming of an environment's notes has come, in pages of its tables.
public struct NotesTrimming: Sendable {
    fileprivate var page: Int64 = 0

    public init() {}
}

extension NotesService {
    /// The pages that are looked at in one step: half a megabyte of each table.
    private static let pagesOfStep: Int64 = 64

    /// Lets go of a little of what is older than 180 days: ids of actions, and actions that wrote no text.
    ///
    /// Any number of workers may do so at once.
    ///
    /// - Returns: whether there is more to look at before all begins anew.
    public func trimHistory(_ place: inout NotesTrimming) throws -> Bool {
        let pages = place.page..<place.page + Self.pagesOfStep
        let last = try pool.withConnection { connection in
            try connection.run(TrimStatements.trimActions(pages))
            // With the accounts locked, as for every action: followers are to be told what is gone.
            try connection.transaction { connection in
                let rows = try connection.run(TrimStatements.lockAccounts(pages))
                let accounts = try rows.map { try $0.bigint("id") }
                if !accounts.isEmpty { try connection.run(TrimStatements.trimRevisions(pages, of: accounts)) }
            }
            let row = try connection.run(TrimStatements.pages).single("the sizes")
            return max(try row.bigint("actions"), try row.bigint("revisions"))
        }
        let isPast = pages.upperBound >= last
        place.page = isPast ? 0 : pages.upperBound
        return !isPast
    }
}
