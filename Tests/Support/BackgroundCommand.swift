internal import AlmanacPOSIX
internal import Glibc

/// A program that runs beside the test, in a process group of its own.
///
/// The program and its children are killed when the last reference to this object is released.
public final class BackgroundCommand: Sendable {
    /// The process id, which is also the id of the process group.
    public var pid: Int32 { child.pid }
    private let child: ChildProcess
    private let status = Monitor<Int32?>(nil)
    private let output: ScratchFile
    private let errors: ScratchFile

    /// - Parameters:
    ///   - program: a path, or a name to look up in `PATH`.
    ///   - input: the program's standard input, empty by default.
    ///   - environment: variables to add to this process's environment or to replace there.
    public init(
        _ program: String, _ arguments: [String] = [], input: [UInt8] = [], environment: [String: String] = [:]
    ) throws(CommandFailure) {
        do throws(SystemFailure) {
            // Files replace pipes: a program never blocks because a reader is missing, nor a test because a writer is.
            let input = try ScratchFile(contents: input)
            output = try ScratchFile()
            errors = try ScratchFile()
            child = try ChildProcess.start(
                program, arguments, variables: environment,
                descriptors: [input.descriptor, output.descriptor, errors.descriptor], group: .own)
        } catch {
            throw CommandFailure(description: "\(program) did not start: \(error)")
        }
        let (child, status) = (child, status)
        _ = AlmanacPOSIX.Thread(name: "wait \(child.pid)") {
            child.waitForEnd()
            // The process is reaped under the lock, so that `send` never signals another process with the same id.
            status.update { $0 = child.wait() }
        }
    }

    deinit { kill() }

    /// The program's standard output so far.
    public var outputBytes: [UInt8] { output.contents }

    /// The program's standard error so far.
    public var errorBytes: [UInt8] { errors.contents }

    public var isRunning: Bool { status.read { $0 == nil } }

    /// Sends a signal to the program; does nothing if the program has ended.
    public func send(signal: Int32) { status.read { if $0 == nil { _ = Glibc.kill(pid, signal) } } }

    /// Kills the program and its children immediately.
    public func kill() { status.read { if $0 == nil { _ = Glibc.kill(-pid, SIGKILL) } } }

    /// Blocks until the program ends or the limit passes.
    ///
    /// - Returns: the exit status (128 plus the signal's number after a signal), or nil if the program still runs.
    public func wait(upTo limit: Duration) -> Int32? { status.wait(upTo: limit) { $0 } }
}

extension Checkout {
    /// Returns the path of a program that the build puts beside the tests.
    public static func program(_ name: String) -> String {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return (bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast() + [Substring(name)])
            .joined(separator: "/")
    }
}
