/// Bytes that nobody can guess, for secrets.
public enum RandomBytes {
    /// - Parameter count: how many.
    public static func make(count: Int) -> [UInt8] {
        // getrandom(2) on Linux.
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in generator.next() }
    }
}
