import Glibc

/// The number of allocations of this program, counted if allocations.c is preloaded.
enum Allocations {
    private typealias Counter = @convention(c) () -> UInt

    /// The number of allocations so far, or nil if they are not counted.
    static var count: Int? { counter.map { Int($0()) } }

    // Safe because the library stays loaded until the program ends, and its function has this type.
    private static let counter: Counter? =
        unsafe dlsym(nil, "almanac_allocations").map { unsafe unsafeBitCast($0, to: Counter.self) }
}
