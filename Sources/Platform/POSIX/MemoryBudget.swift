internal import AlmanacCLinux
internal import Glibc

/// A budget of memory shared by large requests, so that concurrent ones don't exceed the memory of the process.
///
/// The budget counts reservations, not allocations: a request reserves the most that it may need.
public final class MemoryBudget: Sendable {
    private let size: Int
    private let waitLimit: Duration
    private let state = Monitor(State())

    private struct State {
        /// The reserved bytes now, and their peak since memory was last returned to the system.
        var used = 0
        var peak = 0
        var waiting = 0

        mutating func reserve(_ bytes: Int, of size: Int) -> Int? {
            let bytes = min(bytes, size)
            guard used + bytes <= size else { return nil }
            used += bytes
            peak = max(peak, used)
            return bytes
        }
    }

    /// The limit on concurrently waiting threads. The other threads are needed for small requests.
    private static let maxWaitingThreads = 4
    /// The peak, in bytes, above which memory is returned to the system.
    private static let trimThresholdBytes = 16 << 20

    /// - Parameters:
    ///   - bytes: The size of the budget.
    ///   - waitLimit: The limit on a thread's wait for memory.
    public init(bytes: Int, waitLimit: Duration = .seconds(2)) {
        size = bytes
        self.waitLimit = waitLimit
    }

    public var used: Int { state.read(\.used) }

    /// Reserves memory, at most the size of the budget, and waits for other requests to release theirs if too little is
    /// free. Returns the number of bytes to release later, or nil if the wait failed.
    public func reserve(_ bytes: Int) -> Int? {
        if let reserved = reserveNow(bytes) { return reserved }
        let mayWait = state.updateForOne { state in
            guard state.waiting < Self.maxWaitingThreads else { return false }
            state.waiting += 1
            return true
        }
        guard mayWait else { return nil }
        defer { state.updateForOne { $0.waiting -= 1 } }
        return state.wait(upTo: waitLimit, wakesOthers: false) { $0.reserve(bytes, of: size) }
    }

    private func reserveNow(_ bytes: Int) -> Int? {
        // A reservation lets no other thread continue, so waking one suffices.
        state.updateForOne { $0.reserve(bytes, of: size) }
    }

    public func release(_ bytes: Int) {
        let shouldTrim = state.update { state in
            state.used -= bytes
            guard state.used == 0, state.peak >= Self.trimThresholdBytes else { return false }
            state.peak = 0
            return true
        }
        // Freed memory is fragmented, and stays with the process unless it is trimmed.
        if shouldTrim { malloc_trim(0) }
    }
}

extension Process {
    /// Configures the allocator to return freed memory to the system early, at little cost.
    ///
    /// Large blocks stay separate mappings even after the first one was freed. Threads share few heaps, because each
    /// heap keeps the memory of its busiest moment.
    public static func limitHeaps() {
        mallopt(M_MMAP_THRESHOLD, 256 << 10)
        mallopt(M_TRIM_THRESHOLD, 1 << 20)
        mallopt(M_ARENA_MAX, 4)
    }
}
