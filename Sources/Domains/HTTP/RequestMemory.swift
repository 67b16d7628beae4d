public import AlmanacPOSIX

/// The memory that one request has set aside, of what all large requests share. One for each thread, used again and
/// again.
public final class RequestMemory {
    private let budget: MemoryBudget?
    private var held = 0

    /// Less than this is never asked for: small requests wait for nobody, in bytes.
    private static let small = 256 << 10

    /// - Parameter budget: nil where nothing is shared.
    public init(of budget: MemoryBudget? = nil) {
        self.budget = budget
    }

    /// Sets memory aside until the request has been answered.
    public func reserve(_ bytes: Int) throws(Problem) {
        held += try take(bytes)
    }

    /// Sets memory aside for the time of a call.
    func reserving<Result>(_ bytes: Int, _ body: () throws(Problem) -> Result) throws(Problem) -> Result {
        let taken = try take(bytes)
        defer { giveBack(taken) }
        return try body()
    }

    /// The request has been answered.
    public func end() {
        giveBack(held)
        held = 0
    }

    private func take(_ bytes: Int) throws(Problem) -> Int {
        guard bytes >= Self.small, let budget else { return 0 }
        guard let taken = budget.take(bytes) else {
            throw Problem(
                .overloaded, "too many large requests are being answered right now; nothing was changed: try again",
                headers: [("Retry-After", "1")])
        }
        return taken
    }

    private func giveBack(_ bytes: Int) {
        if bytes > 0 { budget?.giveBack(bytes) }
    }
}
