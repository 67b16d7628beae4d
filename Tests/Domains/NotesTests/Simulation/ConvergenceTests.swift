import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@Suite(.database(.migrated)) struct ConvergenceTests {
    /// The number of simulations.
    private static let runs = TestDepth.runs(quick: 10, standard: 40, long: 400)
    private static let threads = 4

    /// Runs random simulations. The seed in a failure's message, set as `ALMANAC_TEST_SEED`, becomes the first
    /// simulation's.
    @Test(arguments: [1, 8])
    func `clients that lose, double and reorder requests all come to the server's texts`(lines: Int) throws {
        let instance = try NotesInstance(connections: Self.threads)
        let seed = Randomness().seed
        let failures = try concurrently(Self.threads, within: .seconds(3600)) { thread in
            var failures: [String] = []
            for run in stride(from: thread, to: Self.runs, by: Self.threads) where failures.isEmpty {
                let runSeed = seed &+ UInt64(run)
                do {
                    var simulation = Simulation(
                        SimulatedAccount(instance: instance, user: "user\(runSeed)"), seed: runSeed, lines: lines)
                    try simulation.run(steps: 120)
                } catch {
                    failures.append("ALMANAC_TEST_SEED=\(runSeed) ALMANAC_TEST_RUNS=1: \(error)")
                }
            }
            return failures
        }.flatMap(\.self)
        print("\(Self.runs) simulations from ALMANAC_TEST_SEED=\(seed)")
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
