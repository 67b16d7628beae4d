import POSIX

/// Holds threads back until a test lets them go.
final class Gate: Sendable {
    private let isOpen = Monitor(false)

    func open() { isOpen.update { $0 = true } }

    /// - Returns: whether the gate was opened.
    @discardableResult
    func wait() -> Bool { isOpen.wait(upTo: .seconds(60)) { $0 ? true : nil } ?? false }
}
