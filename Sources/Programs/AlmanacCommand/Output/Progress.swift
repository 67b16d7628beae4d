internal import AlmanacPOSIX

/// A progress line that is overwritten in place; hidden if standard error is no terminal.
struct Progress: Sendable {
    private let isShown = Terminal.isErrors
    private let start = ContinuousClock.now

    func show(_ what: String, _ bytes: Int) {
        guard isShown else { return }
        let seconds = (ContinuousClock.now - start).components.seconds
        Terminal.show("\r\u{1B}[K\(what): \(bytes / 1024) KiB, \(seconds) s")
    }

    /// Removes the line.
    func end() { if isShown { Terminal.show("\r\u{1B}[K") } }
}
