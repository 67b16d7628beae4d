internal import AlmanacEnvironments
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

extension Arguments {
    func environments() throws -> [EnvironmentSettings] { try EnvironmentsFile.load(environmentsFile) }

    /// The path of the environments file, from the command line or a variable.
    var environmentsFile: String { option(Option.environments.name) ?? Settings.environmentsFile }

    /// Returns the environment that the operand names.
    func environment() throws -> EnvironmentSettings { try environment(operand(Operand.environment.name)) }

    func environment(_ name: String) throws -> EnvironmentSettings {
        let environments = try environments()
        guard let settings = environments.first(where: { $0.name.text == name }) else {
            let names = environments.map(\.name.text).joined(separator: ", ")
            throw UsageFailure(
                "there is no environment '\(name)'; the environments file has \(names)"
                    + Suggestion.text(for: name, among: environments.map(\.name.text)))
        }
        return settings
    }

    /// The folder with the SQL of this release.
    var sqlFolder: String { option(Option.sql.name) ?? Settings.sqlFolder }
}

extension EnvironmentSettings {
    /// Opens a connection as the schema's owner.
    func connectAsOwner() throws -> Connection {
        do {
            return try Connection(owner)
        } catch {
            throw CommandFailure(description: "environment '\(name)', \(owner.place): \(error)")
        }
    }
}
