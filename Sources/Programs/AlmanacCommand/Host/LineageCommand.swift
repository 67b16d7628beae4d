internal import AlmanacEnvironments
internal import AlmanacJSON
internal import AlmanacPOSIX

/// `almanac lineage`
enum LineageCommand {
    static let all = [
        Command(
            name: "lineage renew", summary: "Tell clients that their cursors are of another history.",
            operands: [.environment], options: [.json] + Option.host,
            details: """
                To be done after a database was restored from a backup by other means than 'almanac restore', which does
                it by itself, as workers do after a standby was promoted or PostgreSQL's archive was replayed. \
                Otherwise
                clients that have seen later revisions would miss changes.
                """,
            example: "$ almanac lineage renew production\nproduction: the lineage is now 5f0c2b91", run: renew)
    ]

    private static func renew(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let lineage = try environment.connectAsOwner().renewLineage()
        if arguments.wantsJSON {
            try Output.json(["environment": .string(environment.name.text), "lineage": .string(lineage)])
        } else {
            try Process.output("\(environment.name): the lineage is now \(lineage)\n")
        }
        return .done
    }
}
