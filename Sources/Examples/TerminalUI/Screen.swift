internal import Dispatch
internal import Glibc
internal import Synchronization

/// An event for a full-screen program.
public enum ScreenEvent: Sendable, Hashable {
    case key(Key)
    /// The screen's size changed, or the screen must be redrawn.
    case resized
    /// The program called ``Screen/wake()``.
    case woken
    /// The terminal was closed, or the system asked the program to exit.
    case end
}

/// The reason why a program cannot take over the screen.
public enum ScreenFailure: Error, CustomStringConvertible {
    case noTerminal

    public var description: String { "expected a terminal as standard input and output" }
}

/// The full screen of the program's terminal, and the key presses in it.
///
/// ``leave()`` restores the terminal.
public final class Screen: @unchecked Sendable {
    // Safe because the sources are made in `init` and then only cancelled, which is allowed from any thread.
    private let sources: [any DispatchSourceProtocol]
    /// The events, in order.
    public let events: AsyncStream<ScreenEvent>
    private let continuation: AsyncStream<ScreenEvent>.Continuation
    private let before: termios
    private let isLeft = Mutex(false)

    /// Takes over the terminal.
    ///
    /// - Throws: ``ScreenFailure/noTerminal`` if standard input or output is not a terminal.
    public init() throws(ScreenFailure) {
        var settings = termios()
        guard isatty(STDOUT_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { throw .noTerminal }
        before = settings
        (events, continuation) = AsyncStream.makeStream()
        Self.enterRawMode(from: settings)
        Self.write("\u{1B}[?1049h")
        sources = Self.listen(continuation, before: settings)
    }

    deinit { leave() }

    /// Restores the terminal. A second call has no effect.
    public func leave() {
        guard
            isLeft.withLock({ isLeft in
                defer { isLeft = true }; return !isLeft
            })
        else { return }
        for source in sources { source.cancel() }
        Self.write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
        var settings = before
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        continuation.finish()
    }

    /// Sends ``ScreenEvent/woken`` through ``events``.
    public func wake() { continuation.yield(.woken) }

    /// The number of columns and rows, or 80 and 24 if the terminal does not report them.
    public var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Clears the screen and shows lines from the top left corner.
    ///
    /// - Parameters:
    ///   - lines: The lines, each at most as wide as the screen. They may contain control sequences for colors.
    ///   - caret: The position of the caret, from 0, or nil to hide the caret.
    public func draw(_ lines: [String], caret: (column: Int, row: Int)? = nil) {
        var text = "\u{1B}[?25l\u{1B}[H\u{1B}[0m"
        text += lines.map { $0 + "\u{1B}[0m\u{1B}[K" }.joined(separator: "\r\n")
        text += "\u{1B}[J"
        if let caret { text += "\u{1B}[\(caret.row + 1);\(caret.column + 1)H\u{1B}[?25h" }
        Self.write(text)
    }

    /// Starts to read the keyboard and to handle signals.
    private static func listen(
        _ continuation: AsyncStream<ScreenEvent>.Continuation, before settings: termios
    ) -> [any DispatchSourceProtocol] {
        let queue = DispatchQueue(label: "screen")
        var all: [any DispatchSourceProtocol] = []
        func on(_ number: Int32, _ act: @escaping @Sendable () -> Void) {
            // Otherwise the default action of the signal would come first.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: act)
            all.append(source)
        }
        on(SIGWINCH) { continuation.yield(.resized) }
        on(SIGCONT) {
            // The shell used the terminal in the meantime.
            enterRawMode(from: settings)
            write("\u{1B}[?1049h")
            continuation.yield(.resized)
        }
        for number in [SIGINT, SIGTERM, SIGHUP] { on(number) { continuation.yield(.end) } }

        let reader = Mutex(KeyReader())
        let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
        input.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0 {
                for key in reader.withLock({ $0.take(bytes[..<count]) }) { continuation.yield(.key(key)) }
            } else if count == 0 || errno != EINTR && errno != EAGAIN {
                continuation.yield(.end)
                continuation.finish()
            }
        }
        all.append(input)
        for source in all { source.resume() }
        return all
    }

    private static func enterRawMode(from settings: termios) {
        var raw = settings
        unsafe cfmakeraw(&raw)
        // TCSADRAIN keeps the keys typed ahead.
        unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    }

    private static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}
