/// When something last changed, as HTTP tells it: in whole seconds (RFC 9110 §8.8.2).
public struct LastModified: Sendable {
    private let time: Timestamp
    private let hasOwnSecond: Bool?

    /// - Parameter hasOwnSecond: no other change before it was made in the same second, so that the date tells what
    ///   there is now from all that there was; nil where nobody knows.
    public init(_ time: Timestamp, hasOwnSecond: Bool?) {
        (self.time, self.hasOwnSecond) = (time, hasOwnSecond)
    }

    /// Whether it changed after a date, as far as is known.
    public func isAfter(_ date: Timestamp) -> Bool { second(is: hasOwnSecond == false ? (>=) : (>), date) }

    /// Whether it changed after a date, or may have.
    public func mayBeAfter(_ date: Timestamp) -> Bool { second(is: hasOwnSecond == true ? (>) : (>=), date) }

    private func second(is compared: (Int64, Int64) -> Bool, _ date: Timestamp) -> Bool {
        compared(time.milliseconds / 1000, date.milliseconds / 1000)
    }
}
