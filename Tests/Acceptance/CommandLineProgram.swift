import AlmanacJSON
import AlmanacTestSupport
import Testing

/// The program `almanac` as somebody with the instance's tokens runs it.
struct CommandLineProgram: Sendable {
    let instance: Instance
    private let variables: [String: String]

    /// - Parameter variables: besides those that name the instance, or in place of them.
    init(_ variables: [String: String] = [:]) throws {
        instance = try Instance.current()
        let usual = [
            "ALMANAC_URL": instance.url, "ALMANAC_CA_FILE": instance.caFile, "ALMANAC_ENVIRONMENT": "development",
            "ALMANAC_TOKEN_FILE": instance.path("tokens/{environment}.token"),
            "ALMANAC_ENVIRONMENTS": instance.path("environments.json"),
            "ALMANAC_PROFILE_FILE": "/nonexistent/profile.json",
            "XDG_DATA_HOME": instance.path("data"),
        ]
        self.variables = usual.merging(variables) { $1 }
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

    /// Starts it beside the test.
    func start(_ arguments: String...) throws -> BackgroundCommand { try start(arguments) }

    func start(_ arguments: [String]) throws -> BackgroundCommand {
        try BackgroundCommand(instance.path("bin/almanac"), arguments, environment: variables)
    }

    /// Starts it in a terminal of its own.
    func terminal(_ arguments: [String], variables others: [String: String] = [:]) throws -> PseudoTerminal {
        try PseudoTerminal(
            instance.path("bin/almanac"), arguments, environment: variables.merging(others) { $1 }, columns: 200)
    }

    /// Its output, when it ends well.
    func output(
        _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let outcome = try run(arguments, input: input)
        try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)", sourceLocation: sourceLocation)
        return outcome.output
    }

    /// The JSON document that it prints.
    func json(
        _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        let outcome = try run(arguments + ["--json"], input: input)
        try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)", sourceLocation: sourceLocation)
        return try JSONValue(parsing: outcome.outputBytes)
    }
}
