internal import AlmanacPOSIX

/// The depth of a test run: the one place that says how much a property, a simulation or a storm costs.
///
/// `deploy/test` exports it as `ALMANAC_TEST_DEPTH`. The number of each depth stands beside the test, and its reason in
/// `Tests/README.md`.
public enum TestDepth: String, Sendable {
    /// The tests of everyday work.
    case quick
    /// Continuous integration; also a run without `ALMANAC_TEST_DEPTH`.
    case standard
    /// Hours of random runs.
    case long

    /// The depth of this run.
    public static let current: TestDepth = {
        guard let name = Process.variable("ALMANAC_TEST_DEPTH") else { return .standard }
        guard let depth = TestDepth(rawValue: name) else {
            fatalError("ALMANAC_TEST_DEPTH is '\(name)'; expected quick, standard or long")
        }
        return depth
    }()

    /// The number that replaces those of all depths: `ALMANAC_TEST_RUNS`, for a world that failed or a longer search.
    private static let replacement: Int? = {
        guard let text = Process.variable("ALMANAC_TEST_RUNS") else { return nil }
        guard let runs = Int(text), runs > 0 else {
            fatalError("ALMANAC_TEST_RUNS is '\(text)'; expected a whole number above 0")
        }
        return runs
    }()

    /// True unless `ALMANAC_TEST_RUNS` replaces the numbers of the tests. Only these are large enough to expect
    /// everything that a generator can make.
    public static var hasOwnNumbers: Bool { replacement == nil }

    /// Returns the number of random runs at the depth of this test run.
    public static func runs(quick: Int, standard: Int, long: Int) -> Int {
        if let replacement { return replacement }
        return switch current {
        case .quick: quick
        case .standard: standard
        case .long: long
        }
    }
}
