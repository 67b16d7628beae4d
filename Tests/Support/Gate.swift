internal import AlmanacPOSIX

/// A gate that blocks threads until a test opens it.
public final class Gate: Sendable {
    private let isOpen = Monitor(false)

    public init() {}

    public func open() { isOpen.update { $0 = true } }

    /// Blocks the calling thread until the gate opens, for at most a minute.
    public func wait() { _ = isOpen.wait(upTo: .seconds(60)) { $0 ? true : nil } }

    /// - Returns: `true` if the gate opened in time.
    public func opens() async throws -> Bool { try await eventuallyAsync { isOpen.read { $0 } } }
}
