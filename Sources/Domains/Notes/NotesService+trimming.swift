internal import AlmanacPostgreSQL

/// The progress of the trimming of an environment's notes, in table pages.
public struct TrimProgress: Sendable {
    fileprivate var page: Int64 = 0

    public init() {}
}

extension NotesService {
    /// The table pages examined in one step: half a megabyte of each table.
    private static let pagesPerStep: Int64 = 64

    /// Deletes rows older than 180 days from the next table pages: stored action ids, and history rows without texts.
    ///
    /// Any number of workers may trim at once.
    ///
    /// - Returns: true if more pages follow before the next round.
    public func trimHistory(_ progress: inout TrimProgress) throws -> Bool {
        let pages = progress.page..<progress.page + Self.pagesPerStep
        let last = try pool.withConnection { connection in
            try connection.run(TrimStatements.trimActions(pages))
            // Locks the accounts, as every action does, so that streams learn by `trimmed_revision` what is gone.
            try connection.transaction { connection in
                let rows = try connection.run(TrimStatements.lockAccounts(pages))
                let accounts = try rows.map { try $0.bigint("id") }
                if !accounts.isEmpty { try connection.run(TrimStatements.trimRevisions(pages, of: accounts)) }
            }
            let row = try connection.run(TrimStatements.pages).single("the sizes")
            return max(try row.bigint("actions"), try row.bigint("revisions"))
        }
        let isPast = pages.upperBound >= last
        progress.page = isPast ? 0 : pages.upperBound
        return !isPast
    }
}
