internal import Dispatch
internal import Glibc
internal import Synchronization

/// The whole screen of the terminal that a program runs in, and the keys pressed there one by one.
///
/// ``leave()`` gives the terminal back as it was.
public final class Screen: @unchecked Sendable {
    // Safe because the sources are made in `init` and then only cancelled, which is allowed from any thread.
    private let sources: [any DispatchSourceProtocol]
    /// What happens, in order.
    public let events: AsyncStream<ScreenEvent>
    private let happened: AsyncStream<ScreenEvent>.Continuation
    private let before: termios
    private let isLeft = Mutex(false)

    /// Takes the terminal over.
    ///
    /// - Throws: ``ScreenFailure/noTerminal`` when input or output is something else.
    public init() throws(ScreenFailure) {
        var settings = termios()
        guard isatty(STDOUT_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { throw .noTerminal }
        before = settings
        (events, happened) = AsyncStream.makeStream()
        Self.enterRawMode(from: settings)
        Self.write("\u{1B}[?1049h")
        sources = Self.listen(happened, before: settings)
    }

    deinit {
        leave()
    }

    /// Gives the terminal back. Calling it twice does no harm.
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
        happened.finish()
    }

    /// Makes ``events`` say ``ScreenEvent/woken``.
    public func wake() { happened.yield(.woken) }

    /// How many columns and rows there are; 80 and 24 where the terminal doesn't know.
    public var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Shows lines from the top left corner on, and nothing else.
    ///
    /// - Parameters:
    ///   - lines: none longer than the screen is wide; they may hold control sequences for colours.
    ///   - caret: where it blinks, from 0; nil hides it.
    public func draw(_ lines: [String], caret: (column: Int, row: Int)? = nil) {
        var text = "\u{1B}[?25l\u{1B}[H\u{1B}[0m"
        text += lines.map { $0 + "\u{1B}[0m\u{1B}[K" }.joined(separator: "\r\n")
        text += "\u{1B}[J"
        if let caret { text += "\u{1B}[\(caret.row + 1);\(caret.column + 1)H\u{1B}[?25h" }
        Self.write(text)
    }

    /// Begins to listen to the keyboard and to signals.
    private static func listen(
        _ happened: AsyncStream<ScreenEvent>.Continuation, before settings: termios
    ) -> [any DispatchSourceProtocol] {
        let queue = DispatchQueue(label: "screen")
        var all: [any DispatchSourceProtocol] = []
        func on(_ number: Int32, _ act: @escaping @Sendable () -> Void) {
            // Without this the signal's own effect would come first.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: act)
            all.append(source)
        }
        on(SIGWINCH) { happened.yield(.resized) }
        on(SIGCONT) {
            // The shell has had the terminal meanwhile.
            enterRawMode(from: settings)
            write("\u{1B}[?1049h")
            happened.yield(.resized)
        }
        for number in [SIGINT, SIGTERM, SIGHUP] { on(number) { happened.yield(.end) } }

        let reader = Mutex(KeyReader())
        let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
        input.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0 {
                for key in reader.withLock({ $0.take(bytes[..<count]) }) { happened.yield(.key(key)) }
            } else if count == 0 || errno != EINTR && errno != EAGAIN {
                happened.yield(.end)
                happened.finish()
            }
        }
        all.append(input)
        for source in all { source.resume() }
        return all
    }

    private static func enterRawMode(from settings: termios) {
        var raw = settings
        unsafe cfmakeraw(&raw)
        // What was typed ahead is kept.
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
