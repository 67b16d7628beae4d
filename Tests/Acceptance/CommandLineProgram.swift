import AlmanacJSON
import AlmanacTestSupport
import Testing

/// The program `almanac` with the tokens of the instance.
struct CommandLineProgram: Sendable {
    let instance: Instance
    private let variables: [String: String]

    /// - Parameter variables: environment variables that add to those for the instance, or replace them.
    init(_ variables: [String: String] = [:]) throws {
        instance = try Instance.current()
        let defaults = [
            "ALMANAC_URL": instance.url, "ALMANAC_CA_FILE": instance.caFile, "ALMANAC_ENVIRONMENT": "development",
            "ALMANAC_TOKEN_FILE": instance.path("tokens/{environment}.token"),
            "ALMANAC_ENVIRONMENTS": instance.path("environments.json"),
            "ALMANAC_PROFILE_FILE": "/nonexistent/profile.json",
            "XDG_DATA_HOME": instance.path("data"),
        ]
        self.variables = defaults.merging(variables) { $1 }
    }

    @discardableResult
    func run(
        _ arguments: String..., input: String = "", within limit: Duration = .seconds(60)
    ) throws -> Command.Outcome {
        try run(arguments, input: input, within: limit)
    }

    func run(
        _ arguments: [String], input: String = "", within limit: Duration = .seconds(60)
    ) throws -> Command.Outcome {
        try Command.run(
            instance.path("bin/almanac"), arguments, input: Array(input.utf8), environment: variables, within: limit)
    }

    func start(_ arguments: String...) throws -> BackgroundCommand { try start(arguments) }

    func start(_ arguments: [String]) throws -> BackgroundCommand {
        try BackgroundCommand(instance.path("bin/almanac"), arguments, environment: variables)
    }

    func terminal(_ arguments: [String], variables additions: [String: String] = [:]) throws -> PseudoTerminal {
        try PseudoTerminal(
            instance.path("bin/almanac"), arguments, environment: variables.merging(additions) { $1 }, columns: 200)
    }

    /// Returns the program's output, and requires exit status 0.
    func output(
        _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let outcome = try run(arguments, input: input)
        try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)", sourceLocation: sourceLocation)
        return outcome.output
    }

    /// Returns the JSON document that the program prints.
    func json(
        _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        let outcome = try run(arguments + ["--json"], input: input)
        try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)", sourceLocation: sourceLocation)
        return try JSONValue(parsing: outcome.outputBytes)
    }
}
