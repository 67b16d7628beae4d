internal import Environments
internal import Migrations
internal import POSIX

/// `almanac migrate`
enum MigrateCommand {
    static func run(_ arguments: Arguments) throws {
        var arguments = arguments
        var chosen: [String] = []
        while !arguments.words.isEmpty { chosen.append(try arguments.next("an environment")) }
        try arguments.finish()
        let migrations = try Migration.all(inFolder: arguments.sqlFolder + "/migrations")
        let environments =
            if chosen.isEmpty { try arguments.environments() } else { try chosen.map { try arguments.environment($0) } }
        for environment in environments {
            let connection = try environment.connectAsOwner()
            do {
                let applied = try Migrator(connection).migrate(migrations)
                let names = applied.isEmpty ? "up to date" : applied.map(\.name).joined(separator: ", ")
                try Process.output("\(environment.name): \(names)\n")
            } catch {
                throw CommandFailure(description: "environment '\(environment.name)': \(error)")
            }
        }
    }
}
