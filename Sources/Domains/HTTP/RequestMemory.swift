public import AlmanacPOSIX

/// The memory that one request has reserved from the budget of large requests. Each thread has one and reuses it.
public final class RequestMemory {
    private let budget: MemoryBudget?
    private var reservedBytes = 0

    /// The size below which nothing is reserved, so that small requests never wait, in bytes.
    private static let minReservedBytes = 256 << 10

    /// - Parameter budget: Nil for no limit.
    public init(of budget: MemoryBudget? = nil) { self.budget = budget }

    /// Reserves memory until the request has been answered.
    public func reserve(_ bytes: Int) throws(Problem) { reservedBytes += try tryReserve(bytes) }

    /// Reserves memory for the duration of a call.
    func reserving<Result>(_ bytes: Int, _ body: () throws(Problem) -> Result) throws(Problem) -> Result {
        let taken = try tryReserve(bytes)
        defer { release(taken) }
        return try body()
    }

    /// Releases the memory after the request has been answered.
    public func end() {
        release(reservedBytes)
        reservedBytes = 0
    }

    private func tryReserve(_ bytes: Int) throws(Problem) -> Int {
        guard bytes >= Self.minReservedBytes, let budget else { return 0 }
        guard let taken = budget.reserve(bytes) else {
            throw Problem(
                .overloaded, "too many large requests are in progress; nothing was changed, try again",
                headers: [("Retry-After", "1")])
        }
        return taken
    }

    private func release(_ bytes: Int) { if bytes > 0 { budget?.release(bytes) } }
}
