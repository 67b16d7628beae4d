/// The time of the last change, with the precision of HTTP dates: whole seconds (RFC 9110 §8.8.2).
public struct LastModified: Sendable {
    private let time: Timestamp
    private let hasOwnSecond: Bool?

    /// - Parameter hasOwnSecond: True if no earlier change happened in the same second, so that the date identifies the
    ///   current state; nil if unknown.
    public init(_ time: Timestamp, hasOwnSecond: Bool?) { (self.time, self.hasOwnSecond) = (time, hasOwnSecond) }

    /// Returns true if the last change is later than a date. If unknown, changes in the same second count as not later.
    public func isAfter(_ date: Timestamp) -> Bool { second(is: hasOwnSecond == false ? (>=) : (>), date) }

    /// Returns true if the last change may be later than a date. If unknown, changes in the same second count as later.
    public func mayBeAfter(_ date: Timestamp) -> Bool { second(is: hasOwnSecond == true ? (>) : (>=), date) }

    private func second(is compared: (Int64, Int64) -> Bool, _ date: Timestamp) -> Bool {
        compared(time.milliseconds / 1000, date.milliseconds / 1000)
    }
}
