internal import Foundation
internal import Timestamps

extension Timestamp {
    /// A time as the libraries for apps have it, to the millisecond.
    init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}
