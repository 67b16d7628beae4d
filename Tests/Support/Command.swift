/// A program that runs to its end.
public enum Command {
    /// The exit status of a program and its output.
    public struct Outcome: Sendable {
        /// The exit status. After a signal, 128 plus the signal's number, as in a shell.
        public let status: Int32
        public let outputBytes: [UInt8]
        public let errorBytes: [UInt8]

        public var succeeded: Bool { status == 0 }
        /// Standard output. Bytes that are not UTF-8 become U+FFFD.
        public var output: String { String(decoding: outputBytes, as: UTF8.self) }
        /// Standard error. Bytes that are not UTF-8 become U+FFFD.
        public var errors: String { String(decoding: errorBytes, as: UTF8.self) }
    }

    /// Runs a program and waits until it ends.
    ///
    /// - Parameters:
    ///   - program: a path, or a name to look up in `PATH`.
    ///   - input: the program's standard input, empty by default.
    ///   - environment: variables to add to this process's environment or to replace there.
    ///   - limit: the time after which the program and its children are killed and `CommandFailure` is thrown.
    public static func run(
        _ program: String, _ arguments: [String] = [], input: [UInt8] = [], environment: [String: String] = [:],
        within limit: Duration = .seconds(60)
    ) throws(CommandFailure) -> Outcome {
        let command = try BackgroundCommand(program, arguments, input: input, environment: environment)
        guard let status = command.wait(upTo: limit) else {
            command.kill()
            let errors = String(decoding: command.errorBytes.suffix(2000), as: UTF8.self)
            throw CommandFailure(description: "\(program) did not end within \(limit): \(errors)")
        }
        return Outcome(status: status, outputBytes: command.outputBytes, errorBytes: command.errorBytes)
    }
}

/// A program that did not start or did not end in time.
public struct CommandFailure: Error, Sendable, CustomStringConvertible { public let description: String }
