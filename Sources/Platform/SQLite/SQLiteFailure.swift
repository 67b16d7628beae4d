/// Why a file could not be opened, read or written.
package struct SQLiteFailure: Error, Hashable, Sendable {
    package enum Reason: Sendable {
        /// There is no such folder, or it may not be entered or written.
        case cannotOpen
        case notADatabase
        case corrupt
        /// The file, or the disk that it is on, takes no writing.
        case readOnly
        /// There is no room left on the disk; what was to be written was not.
        case full
        /// Another process kept the file locked for longer than the time-out.
        case busy
        /// Anything else that SQLite reports.
        case other
    }

    package let reason: Reason
    /// Names the file, and never quotes a value.
    package let detail: String

    package init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
