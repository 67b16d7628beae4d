/// A program run to its end.
public enum Command {
    /// How a program ended and what it wrote.
    public struct Outcome: Sendable {
        /// The exit status; 128 and the signal's number after a signal, as a shell says it.
        public let status: Int32
        public let outputBytes: [UInt8]
        public let errorBytes: [UInt8]

        public var succeeded: Bool { status == 0 }
        /// Standard output; bytes that are not UTF-8 become U+FFFD.
        public var output: String { String(decoding: outputBytes, as: UTF8.self) }
        /// Standard error; bytes that are not UTF-8 become U+FFFD.
        public var errors: String { String(decoding: errorBytes, as: UTF8.self) }
    }

    /// Runs a program and waits for its end.
    ///
    /// - Parameters:
    ///   - program: a path, or a name to be looked up in `PATH`.
    ///   - input: its standard input; empty without.
    ///   - environment: added to this process's environment, or in place of it where the names are the same.
    ///   - limit: after it the program and its children are killed and `CommandFailure` is thrown.
    public static func run(
        _ program: String, _ arguments: [String] = [], input: [UInt8] = [], environment: [String: String] = [:],
        within limit: Duration = .seconds(60)
    ) throws(CommandFailure) -> Outcome {
        let command = try BackgroundCommand(program, arguments, input: input, environment: environment)
        guard let status = command.wait(upTo: limit) else {
            command.kill()
            let said = String(decoding: command.errorBytes.suffix(2000), as: UTF8.self)
            throw CommandFailure(description: "\(program) did not end within \(limit): \(said)")
        }
        return Outcome(status: status, outputBytes: command.outputBytes, errorBytes: command.errorBytes)
    }
}

/// A program that did not start or did not end in time.
public struct CommandFailure: Error, Sendable, CustomStringConvertible {
    public let description: String
}
