/// Why a program can't have the screen.
public enum ScreenFailure: Error, CustomStringConvertible {
    case noTerminal

    public var description: String { "expected a terminal as standard input and output" }
}
