import AlmanacTestSupport
import Testing

/// The library itself on simulated devices, against the running instance, with everything between them that can go
/// wrong.
@Suite(.blocking) struct ConvergenceTests {
    /// The number of simulated worlds.
    private static let runs = TestDepth.runs(quick: 8, standard: 40, long: 400)
    private static let atOnce = 4

    /// The seed of a failure, given as `ALMANAC_TEST_SEED`, is that of the first world. What happens at the same moment
    /// is not in its hands, so a failure may take more than one run to come back.
    @Test(arguments: [1, 8])
    func `devices with the library, killed at random on a bad network, all come to the same notes`(
        lines: Int
    ) async throws {
        let instance = try Instance.current()
        let seed = Randomness().seed
        let failures = await withTaskGroup(of: [String].self) { group in
            for part in 0..<Self.atOnce {
                group.addTask {
                    for run in stride(from: part, to: Self.runs, by: Self.atOnce) {
                        let world = seed &+ UInt64(run)
                        do {
                            let world = try await World(
                                seed: world, lines: lines, try Folder(), instance.transport)
                            try await world.run(steps: 80)
                        } catch {
                            return ["ALMANAC_TEST_SEED=\(world) ALMANAC_TEST_RUNS=1: \(error)"]
                        }
                    }
                    return []
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        print("\(Self.runs) simulated worlds from ALMANAC_TEST_SEED=\(seed)")
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }
}
