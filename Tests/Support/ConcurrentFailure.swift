/// Some of the threads of `concurrently` failed.
public struct ConcurrentFailure: Error, Sendable, CustomStringConvertible {
    /// How many threads there were.
    public let count: Int
    /// What was thrown, in the order of the threads.
    public let errors: [any Error]
    /// How many had not ended when the time was over.
    public let unfinished: Int

    public var description: String {
        if unfinished > 0 { return "\(unfinished) of \(count) threads did not end in time" }
        return "\(errors.count) of \(count) threads failed, the first with: \(errors[0])"
    }
}
