internal import AlmanacPOSIX

/// Holds threads back until a test lets them go.
public final class Gate: Sendable {
    private let isOpen = Monitor(false)

    public init() {}

    public func open() { isOpen.update { $0 = true } }

    /// Blocks the thread of a server.
    public func wait() {
        _ = isOpen.wait(upTo: .seconds(60)) { $0 ? true : nil }
    }

    /// - Returns: whether the gate was opened.
    public func opens() async throws -> Bool { try await comesTrue { isOpen.read { $0 } } }
}
