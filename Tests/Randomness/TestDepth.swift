internal import AlmanacPOSIX

/// The depth of a test run, which determines the number of random runs in all tests.
///
/// `deploy/test` exports it as `ALMANAC_TEST_DEPTH`. `Tests/README.md` gives the reasons for the numbers.
public enum TestDepth: String, Sendable {
    /// The tests of everyday work.
    case quick
    /// The tests of continuous integration, and of a run without `ALMANAC_TEST_DEPTH`.
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

    /// The number that replaces those of all depths: `ALMANAC_TEST_RUNS`, to repeat a failure or to search longer.
    private static let replacement: Int? = {
        guard let text = Process.variable("ALMANAC_TEST_RUNS") else { return nil }
        guard let runs = Int(text), runs > 0 else {
            fatalError("ALMANAC_TEST_RUNS is '\(text)'; expected a whole number above 0")
        }
        return runs
    }()

    /// True unless `ALMANAC_TEST_RUNS` replaces the tests' numbers. Only the tests' own numbers are large enough to
    /// expect every value that a generator can make.
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
