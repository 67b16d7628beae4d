import AlmanacPOSIX
import AlmanacTestSupport

/// Holds threads back until a test lets them go.
final class Gate: Sendable {
    private let isOpen = Monitor(false)

    func open() { isOpen.update { $0 = true } }

    /// Blocks the thread of a server.
    func wait() {
        _ = isOpen.wait(upTo: .seconds(60)) { $0 ? true : nil }
    }

    /// - Returns: whether the gate was opened.
    func opens() async throws -> Bool { try await comesTrue { isOpen.read { $0 } } }
}
