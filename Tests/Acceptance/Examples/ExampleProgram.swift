import AlmanacTestSupport
import Foundation

/// An example of the libraries for apps, as the build made it.
enum ExampleProgram {
    /// - Parameter name: that of its target.
    static func path(_ name: String) -> String {
        // The build puts programs beside the tests.
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(filePath: bundle).deletingLastPathComponent().appending(path: name).path
    }

    /// - Parameter largestFile: in KiB; what is written beyond it fails as on a full disk.
    static func start(_ name: String, _ arguments: [String], largestFile: Int) throws -> PseudoTerminal {
        try PseudoTerminal(
            "bash", ["-c", "trap '' XFSZ; ulimit -f \(largestFile); exec \"$0\" \"$@\"", path(name)] + arguments,
            environment: ["ALMANAC_CA_FILE": Instance.current().caFile])
    }

    static func start(_ name: String, _ arguments: [String]) throws -> PseudoTerminal {
        try PseudoTerminal(path(name), arguments, environment: ["ALMANAC_CA_FILE": Instance.current().caFile])
    }
}
