internal import AlmanacEnvironments
internal import AlmanacPostgreSQL

extension NotesService {
    /// Runs the next step of a pass over the attachments (`AttachmentCleaning`).
    ///
    /// - Returns: true if more steps follow in this pass.
    public func cleanAttachments(_ progress: inout AttachmentCleaning.Progress) throws -> Bool {
        try pool.withConnection { connection in
            let cleaning = AttachmentCleaning(
                connection, stores: stores, unusedDays: limits.attachmentUnusedDays, now: nil, announce: announce)
            let before = progress.report.orphans
            defer { attachmentMetrics.removeOrphans(progress.report.orphans - before) }
            return try cleaning.step(&progress)
        }
    }
}
