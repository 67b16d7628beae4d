internal import AlmanacPOSIX
internal import Glibc

/// A program in a terminal of its own, in which a test types and reads the screen.
public final class PseudoTerminal: Sendable {
    public var pid: Int32 { child.pid }
    private let child: ChildProcess
    private let master: Int32
    private let output = Monitor<[UInt8]>([])
    private let status = Monitor<Int32?>(nil)

    /// Starts a program as the leader of a session that this terminal controls.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], columns: UInt16 = 80,
        rows: UInt16 = 12
    ) throws(CommandFailure) {
        var master: Int32 = -1
        var slave: Int32 = -1
        var name = [CChar](repeating: 0, count: 128)
        guard unsafe openpty(&master, &slave, &name, nil, nil) == 0 else {
            throw CommandFailure(description: "there is no pseudo-terminal: \(SystemFailure.last)")
        }
        // Without this flag, programs of other tests would inherit the descriptors and hold the terminal open.
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(SystemFailure) {
            child = try ChildProcess.start(program, arguments, variables: environment, group: .session(terminal: path))
        } catch {
            close(slave)
            close(master)
            throw CommandFailure(description: "\(program) did not start: \(error)")
        }
        close(slave)
        self.master = master
        resize(columns: columns, rows: rows)
        let (child, output, status, terminal) = (child, output, status, master)
        _ = AlmanacPOSIX.Thread(name: "terminal \(child.pid)") {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe read(terminal, &bytes, bytes.count)
                // EIO means that no process has the other side open any more.
                guard count > 0 else { break }
                output.update { $0 += bytes[..<count] }
            }
            status.update { $0 = child.wait() }
        }
    }

    deinit {
        status.read { if $0 == nil { _ = Glibc.kill(pid, SIGKILL) } }
        _ = status.wait(upTo: .seconds(10)) { $0 }
        close(master)
    }

    /// The program's whole output so far, control sequences included.
    public var written: String { output.read { String(decoding: $0, as: UTF8.self) } }

    /// The text of the last full redraw, without control sequences.
    public var screen: String {
        let last = written.components(after: "\u{1B}[H")
        var text = ""
        var isCommand = false
        for scalar in last.unicodeScalars {
            if scalar == "\u{1B}" {
                isCommand = true
            } else if !isCommand {
                text.unicodeScalars.append(scalar)
            } else if scalar.value >= 0x40, scalar != "[" {
                isCommand = false
            }
        }
        return text.replacing("\r\n", with: "\n")
    }

    public func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe write(master, bytes, bytes.count)
    }

    public func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    public func send(signal: Int32) { status.read { if $0 == nil { _ = Glibc.kill(pid, signal) } } }

    /// True if the terminal echoes input and edits lines itself, which a shell expects.
    public var isCooked: Bool {
        var settings = termios()
        guard unsafe tcgetattr(master, &settings) == 0 else { return false }
        let wanted = UInt32(ECHO) | UInt32(ICANON) | UInt32(ISIG)
        return settings.c_lflag & wanted == wanted
    }

    /// Blocks until the screen fulfils the condition or the limit passes.
    public func shows(within limit: Duration = .seconds(20), _ condition: @Sendable (String) -> Bool) -> Bool {
        eventually(within: limit) { condition(screen) }
    }

    /// Blocks until the program ends or the limit passes.
    ///
    /// - Returns: the exit status, or nil if the program still runs.
    public func wait(upTo limit: Duration) -> Int32? { status.wait(upTo: limit) { $0 } }
}

extension String {
    /// Returns the part after the last occurrence of a text.
    fileprivate func components(after mark: String) -> Substring {
        guard let range = ranges(of: mark).last else { return "" }
        return self[range.upperBound...]
    }
}
