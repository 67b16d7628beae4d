internal import AlmanacFastCGI

/// The way to one stream's reader.
struct Outlet {
    let answer: OpenAnswer
    /// Given back when the stream is over.
    let seat: Seat?
    /// Bytes of the last event that the web server had no room for; at most one event's.
    var unsent: ArraySlice<UInt8> = []
    /// Since when there is no room.
    var blockedSince: ContinuousClock.Instant?
    var nextPing: ContinuousClock.Instant
    /// When the timetable has it.
    var nextLook: ContinuousClock.Instant
    /// When it ends though nothing has happened; nil unless it is a long poll.
    let end: ContinuousClock.Instant?
}
