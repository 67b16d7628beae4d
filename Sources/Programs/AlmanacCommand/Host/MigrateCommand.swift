internal import AlmanacEnvironments
internal import AlmanacJSON
internal import AlmanacMigrations
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// The command `almanac migrate`.
enum MigrateCommand {
    static let all = [
        Command(
            name: "migrate", summary: "Migrate the schema of some environments, or of all.",
            operands: [Operand(name: "ENVIRONMENT", isOptional: true, isRepeated: true, completion: .environments)],
            options: [.json] + Option.host,
            details: """
                Migrations only go forward, each in one transaction. Running the command again changes nothing. The
                command leaves a schema of a newer release as it is, and warns. It fails if the programs of this
                release don't work with that schema.
                """,
            example: "$ almanac migrate production\nproduction: up to date", run: run)
    ]

    private static func run(_ arguments: Arguments) throws -> ExitStatus {
        let chosen = arguments.all(of: "ENVIRONMENT")
        let migrations = try Migration.all(inFolder: arguments.sqlFolder + "/migrations")
        let environments =
            if chosen.isEmpty { try arguments.environments() } else { try chosen.map { try arguments.environment($0) } }
        var results: [(name: String, value: JSONValue)] = []
        for environment in environments {
            let connection = try environment.connectAsOwner()
            do {
                let applied = try Migrator(connection).migrate(migrations).map(\.name)
                // The migrations of an older release may leave the schema incomplete for this one.
                if (try? Schema.check(connection)) != nil { try connection.claimDatabase(for: environment.name) }
                if let warning = try Schema.state(connection, known: migrations.count).warning {
                    Process.report("almanac: environment '\(environment.name)': \(warning); left as it is")
                }
                results.append((environment.name.text, .array(applied.map { .string($0) })))
                if !arguments.wantsJSON {
                    let names = applied.isEmpty ? "up to date" : applied.joined(separator: ", ")
                    try Process.output("\(environment.name): \(names)\n")
                }
            } catch {
                throw CommandFailure(description: "environment '\(environment.name)': \(error)")
            }
        }
        if arguments.wantsJSON { try Output.json(.object(JSONObject(results))) }
        return .success
    }
}
