/// Keeps thousands of clients from asking for the same thing in the same moment.
enum Spread {
    /// How many clients a second are told to come.
    private static let rate = 1000
    private static let longest = 60_000

    /// The time over which this many clients should spread what an event makes them do, in milliseconds.
    ///
    /// A few clients need not wait at all.
    static func milliseconds(for streams: Int) -> Int {
        streams < 50 ? 0 : min(streams * 1000 / rate, longest)
    }
}
