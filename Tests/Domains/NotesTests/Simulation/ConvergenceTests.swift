import AlmanacJSON
import AlmanacTestSupport
import Testing

@Suite(.database(.migrated)) struct ConvergenceTests {
    /// Runs random simulations. The seed in a failure's message, set as `ALMANAC_TEST_SEED`, becomes the first
    /// simulation's.
    @Test(arguments: [1, 8])
    func `clients that lose, double and reorder requests all come to the server's texts`(lines: Int) throws {
        let instance = try NotesInstance(connections: Simulation<SimulatedAccount>.threads)
        let failures = try Simulation.failures(
            runs: TestDepth.runs(quick: 10, standard: 20, long: 400), lines: lines
        ) { seed in SimulatedAccount(instance: instance, user: "user\(seed)") }
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }
}

private struct SimulatedAccount: SimulatedServer {
    let instance: NotesInstance
    let user: String

    func act(_ actions: String) throws -> [JSONObject] { try instance.act(actions, as: user) }

    func read(_ path: String) throws -> JSONObject {
        let answer = try instance.call("GET", "/\(path)", as: user)
        guard answer.status == 200, let object = try answer.json.objectValue else {
            throw UnexpectedResult("\(path): \(answer.outcome)")
        }
        return object
    }
}
