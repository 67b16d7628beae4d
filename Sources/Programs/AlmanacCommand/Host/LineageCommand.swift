internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacMigrations
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// The command `almanac lineage renew`.
enum LineageCommand {
    static let all = [
        Command(
            name: "lineage renew", summary: "Mark all cursors of clients as belonging to another history.",
            operands: [.environment], options: [.json] + Option.host,
            details: """
                Run it after a database was restored from a backup by other means than 'almanac restore'. Otherwise,
                clients that have seen later revisions would miss changes. 'almanac restore' renews the lineage
                itself, and so do workers after a standby was promoted or PostgreSQL's archive was replayed.
                """,
            example: "$ almanac lineage renew production\nproduction: the lineage is now 5f0c2b91", run: renew)
    ]

    private static func renew(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let connection = try environment.connectAsOwner()
        // A schema restored from an old backup has no audit log yet.
        let isCurrent = (try? Schema.check(connection)) != nil
        let lineage = try connection.transaction { connection in
            let lineage = try connection.renewLineage()
            if isCurrent {
                try connection.run(AuditStatements.record(.lineageRenew, by: .hostUser, subject: lineage))
            }
            return lineage
        }
        if arguments.wantsJSON {
            try Output.json(["environment": .string(environment.name.text), "lineage": .string(lineage)])
        } else {
            try Process.output("\(environment.name): the lineage is now \(lineage)\n")
        }
        return .success
    }
}
