internal import AlmanacPOSIX

/// The main function of a server program.
public enum Program {
    /// Runs it; when it cannot start it says why in one line, and ends with status 1.
    public static func run(_ name: String, _ body: () throws -> Never) -> Never {
        let started = ContinuousClock.now
        Signal.takeOver()
        do {
            try body()
        } catch {
            let reason = String(describing: error).split(whereSeparator: \.isNewline).joined(separator: " ")
            Process.report("\(name): \(reason)")
            // A supervisor may start the program again at once; it ends no sooner than a second after its start.
            let rest = Duration.seconds(1) - (ContinuousClock.now - started)
            if rest > .zero { _ = try? Event().wait(upTo: rest) }
            Process.end(status: 1)
        }
    }
}
