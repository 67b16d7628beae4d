internal import AlmanacForms
internal import AlmanacIdentity
internal import AlmanacPostgreSQL
internal import AlmanacProposals

extension ProposalWriter {
    /// Records that a person has seen a release that went around approvals.
    ///
    /// - Parameter keys: The keys that the person may approve. All keys of the release must be among them.
    func acknowledge(_ revision: Int64, keys: KeySelection) throws {
        guard let person else { throw ProposalRefusal.noReviewer([]) }
        try writer.pool.withConnection { connection in
            try connection.transaction { connection in
                guard let row = try connection.run(ProposalStatements.bypass(of: revision)).first else {
                    throw ProposalRefusal.nothingToAcknowledge(revision)
                }
                // The history has no issuer of the author, so that the subject alone counts.
                let releaseAuthor = try row.text("author")
                guard ![person.subject, author.name].contains(where: { $0.utf8.elementsEqual(releaseAuthor.utf8) })
                else { throw ProposalRefusal.ownRelease }
                let changed = try row.textArray("keys")
                guard keys != .some([]), changed.allSatisfy(keys.includes) else {
                    throw ProposalRefusal.noReviewer(changed)
                }
                try connection.run(ProposalStatements.acknowledge(revision, by: author))
                try connection.run(
                    AuditStatements.record(.releaseAcknowledge, by: author, subject: "\(revision)"))
            }
        }
    }
}
