import POSIX

/// Holds threads back until a test lets them go.
final class Gate: Sendable {
    private let isOpen = Monitor(false)

    func open() { isOpen.update { $0 = true } }

    func wait() { _ = isOpen.wait(upTo: .seconds(30)) { $0 ? true : nil } }
}
