import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    /// The simulation of NotesTests over a real worker. It runs far fewer simulations than NotesTests, but it covers
    /// the way to the worker and copies of a request that arrive at the same moment.
    @Suite struct NotesConvergenceTests {
        /// Runs simulations from a random seed. Set `ALMANAC_TEST_SEED` to the seed of a failure to repeat it first.
        @Test(arguments: [1, 8])
        func `devices that lose, double and reorder requests all come to the worker's texts`(lines: Int) throws {
            let runs = TestDepth.runs(quick: 4, standard: 4, long: 400)
            let failures = try Simulation.failures(runs: runs, lines: lines) { _ in try SimulatedAccount() }
            #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
        }
    }
}

/// A new user of the running instance, for one thread.
private struct SimulatedAccount: SimulatedServer {
    private let user: NotesUser
    private let client: NotesClient

    init() throws {
        user = try NotesUser("simulated")
        client = user.client()
    }

    func act(_ actions: String) throws -> [JSONObject] {
        try Self.results(try client.send("POST", "notes", actions))
    }

    func actTwice(_ actions: String) throws -> [[JSONObject]] {
        let user = user
        return try concurrently(2) { _ in try Self.results(try user.client().send("POST", "notes", actions)) }
    }

    func read(_ path: String) throws -> JSONObject {
        let answer = try client.send("GET", path)
        guard answer.status == 200, let object = try answer.json().objectValue else {
            throw UnexpectedResult("\(path): \(answer.outcome)")
        }
        return object
    }

    private static func results(_ answer: HTTPResponse) throws -> [JSONObject] {
        guard answer.status == 200, let results = answer["results"]?.arrayValue else {
            throw UnexpectedResult("a batch was answered \(answer.status) \(answer.text)")
        }
        return results.compactMap(\.objectValue)
    }
}
