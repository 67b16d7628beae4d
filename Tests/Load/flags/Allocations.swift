import Glibc

/// The allocations of this program, counted by allocations.c where the program was started with it.
enum Allocations {
    private typealias Counter = @convention(c) () -> UInt

    /// How many there were; nil if nobody counts.
    static var count: Int? {
        counter.map { Int($0()) }
    }

    // Safe because the library, and so the function, stays until the program ends, and it is of this type.
    private static let counter: Counter? =
        unsafe dlsym(nil, "almanac_allocations").map { unsafe unsafeBitCast($0, to: Counter.self) }
}
