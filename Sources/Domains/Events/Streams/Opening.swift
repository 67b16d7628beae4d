/// A stream that is about to begin.
struct Opening: Sendable {
    let stream: Stream
    /// Where the histories stood when the stream's places in them were chosen.
    let head: ConfigHead
    let account: AccountHead?
    let seat: Seat?
    /// The reader has missed more than can be told.
    let needsResync: Bool
    /// The reader is greeted with where everything stands.
    let needsHello: Bool
    /// How long a long poll waits for news; nil for a stream without an end.
    let wait: Duration?
}
