internal import AlmanacPOSIX
internal import Glibc

/// A program that runs beside the test, in a process group of its own.
///
/// It is killed, with its children, when the last reference to this object is gone.
public final class BackgroundCommand: Sendable {
    /// The process id, which is the id of its group too.
    public var pid: Int32 { child.pid }
    private let child: ChildProcess
    private let status = Monitor<Int32?>(nil)
    private let output: ScratchFile
    private let errors: ScratchFile

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: a path, or a name to be looked up in `PATH`.
    ///   - input: its standard input; empty without.
    ///   - environment: added to this process's environment, or in place of it where the names are the same.
    public init(
        _ program: String, _ arguments: [String] = [], input: [UInt8] = [], environment: [String: String] = [:]
    ) throws(CommandFailure) {
        do throws(SystemFailure) {
            // Files instead of pipes: a program never blocks because nobody reads, nor a test because nobody writes.
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
            // Reaped under the lock, so that `send` never signals another process that got the same id.
            status.update { $0 = child.wait() }
        }
    }

    deinit {
        kill()
    }

    /// Its standard output so far.
    public var outputBytes: [UInt8] { output.contents }

    /// Its standard error so far.
    public var errorBytes: [UInt8] { errors.contents }

    public var isRunning: Bool { status.read { $0 == nil } }

    /// Sends a signal to the program; nothing happens when it has ended.
    public func send(signal: Int32) {
        status.read { if $0 == nil { _ = Glibc.kill(pid, signal) } }
    }

    /// Kills the program and the children it has started, at once.
    public func kill() {
        status.read { if $0 == nil { _ = Glibc.kill(-pid, SIGKILL) } }
    }

    /// Blocks until the program has ended or the time is over.
    ///
    /// - Returns: the exit status (128 and the signal's number after a signal), nil when it still runs.
    public func wait(upTo limit: Duration) -> Int32? {
        status.wait(upTo: limit) { $0 }
    }
}
