/// The reason for which a file could not be opened, read or written.
package struct SQLiteFailure: Error, Hashable, Sendable {
    package enum Reason: Sendable {
        /// The folder is missing, or access to it is denied.
        case cannotOpen
        case notADatabase
        case corrupt
        /// The file or its disk is read-only.
        case readOnly
        /// The disk is full, and nothing was written.
        case full
        /// Another process held the lock for longer than the timeout.
        case busy
        /// Any other error of SQLite.
        case other
    }

    package let reason: Reason
    /// The details: the file, but never a value.
    package let detail: String

    package init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
