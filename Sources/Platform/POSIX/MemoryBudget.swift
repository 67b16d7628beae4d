internal import AlmanacCLinux
internal import Glibc

/// An amount of memory that large requests share, so that many at the same time don't need more than a process has.
///
/// It counts what is set aside, not what is allocated: whoever sets memory aside says how much it will need at most.
public final class MemoryBudget: Sendable {
    private let size: Int
    private let waitLimit: Duration
    private let state = Monitor(State())

    private struct State {
        /// What is set aside, in bytes, and the most that it was since memory was last given back to the system.
        var used = 0
        var peak = 0
        var waiting = 0

        mutating func take(_ bytes: Int, of size: Int) -> Int? {
            let bytes = min(bytes, size)
            guard used + bytes <= size else { return nil }
            used += bytes
            peak = max(peak, used)
            return bytes
        }
    }

    /// How many threads may wait at the same time: the others are needed for requests that are small.
    private static let mostWaiting = 4
    /// A rush that is worth giving its memory back to the system, in bytes.
    private static let rush = 16 << 20

    /// - Parameters:
    ///   - bytes: what there is.
    ///   - waitLimit: how long a thread waits for a part of it.
    public init(bytes: Int, waitLimit: Duration = .seconds(2)) {
        size = bytes
        self.waitLimit = waitLimit
    }

    /// How many bytes are set aside.
    public var used: Int { state.read(\.used) }

    /// Sets memory aside, and waits for others to give theirs back where there isn't enough.
    ///
    /// - Parameter bytes: at most all there is.
    /// - Returns: how many bytes to give back later; nil when there were not enough in time.
    public func take(_ bytes: Int) -> Int? {
        if let taken = takeNow(bytes) { return taken }
        let mayWait = state.updateForOne { state in
            guard state.waiting < Self.mostWaiting else { return false }
            state.waiting += 1
            return true
        }
        guard mayWait else { return nil }
        defer { state.updateForOne { $0.waiting -= 1 } }
        return state.wait(upTo: waitLimit, wakesOthers: false) { $0.take(bytes, of: size) }
    }

    /// The same without waiting.
    private func takeNow(_ bytes: Int) -> Int? {
        // Nobody waits for less to be left.
        state.updateForOne { $0.take(bytes, of: size) }
    }

    /// Gives back what was set aside.
    public func giveBack(_ bytes: Int) {
        let rushIsOver = state.update { state in
            state.used -= bytes
            guard state.used == 0, state.peak >= Self.rush else { return false }
            state.peak = 0
            return true
        }
        // What was freed lies in pieces between what wasn't, and stays with the process unless it is asked for.
        if rushIsOver { malloc_trim(0) }
    }
}

extension Process {
    /// Has the allocator give memory back to the system as soon as it is freed, where that costs little.
    ///
    /// Large blocks are mappings of their own, also after the first of them was freed, and threads share few heaps:
    /// each keeps what its busiest moment took.
    public static func limitHeaps() {
        mallopt(M_MMAP_THRESHOLD, 256 << 10)
        mallopt(M_TRIM_THRESHOLD, 1 << 20)
        mallopt(M_ARENA_MAX, 4)
    }
}
