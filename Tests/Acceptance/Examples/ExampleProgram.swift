import AlmanacTestSupport
import Foundation

/// A built example of the app libraries.
enum ExampleProgram {
    /// - Parameter name: the name of the example's target.
    static func path(_ name: String) -> String {
        // The build puts programs in the folder of the tests.
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(filePath: bundle).deletingLastPathComponent().appending(path: name).path
    }

    /// - Parameter largestFile: the size limit of a file, in KiB. Further writes fail as on a full disk.
    static func start(_ name: String, _ arguments: [String], largestFile: Int) throws -> PseudoTerminal {
        try PseudoTerminal(
            "bash", ["-c", "trap '' XFSZ; ulimit -f \(largestFile); exec \"$0\" \"$@\"", path(name)] + arguments,
            environment: ["ALMANAC_CA_FILE": Instance.current().caFile])
    }

    static func start(_ name: String, _ arguments: [String]) throws -> PseudoTerminal {
        try PseudoTerminal(path(name), arguments, environment: ["ALMANAC_CA_FILE": Instance.current().caFile])
    }
}
