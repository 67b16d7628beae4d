internal import Synchronization

/// A place for one connection at a time in a listener. One thread at a time holds the connection.
///
/// The kernel reports a slot by its address when bytes arrive. A thread may act on a report after another thread has
/// closed the connection. A slot therefore lives as long as its listener, and is used again for later connections.
@safe final class ConnectionSlot: @unchecked Sendable {
    // Safe because only the thread that holds the connection uses the two variables.
    var connection: FastCGIConnection?
    /// True once the listener has begun to watch the connection.
    var isWatched = false

    private enum State: UInt8, AtomicRepresentable {
        case vacant
        /// No thread holds the connection. The next report gives the connection to a thread.
        case idle
        case held
        /// A thread holds the connection, and another one has received a report meanwhile.
        case reported
    }

    private let state = Atomic(State.vacant)

    /// The address of the slot, as a numeric tag.
    var tag: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

    static func tagged(_ tag: UInt) -> ConnectionSlot {
        // Safe because the listener keeps each slot alive for as long as it receives reports.
        unsafe Unmanaged<ConnectionSlot>.fromOpaque(UnsafeRawPointer(bitPattern: tag)!).takeUnretainedValue()
    }

    /// Puts a new connection into a vacant slot. The caller holds the connection.
    func fill(with connection: FastCGIConnection) {
        self.connection = connection
        state.store(.held, ordering: .releasing)
    }

    /// Empties a slot whose connection the caller holds.
    func empty() {
        connection = nil
        isWatched = false
        state.store(.vacant, ordering: .releasing)
    }

    /// Takes the connection after a report. Returns false if another thread holds it, or if it has been closed.
    func take() -> Bool {
        while true {
            if exchange(.idle, .held) { return true }
            if exchange(.held, .reported) { return false }
            let seen = state.load(ordering: .acquiring)
            if seen == .reported || seen == .vacant { return false }
        }
    }

    /// Gives the connection back. Returns false, and keeps it held, if there was a report that no thread has acted on.
    /// The caller then asks the kernel for another report, and tries again.
    func giveBack() -> Bool {
        if exchange(.held, .idle) { return true }
        state.store(.held, ordering: .releasing)
        return false
    }

    private func exchange(_ expected: State, _ desired: State) -> Bool {
        state.compareExchange(expected: expected, desired: desired, ordering: .acquiringAndReleasing).exchanged
    }
}
