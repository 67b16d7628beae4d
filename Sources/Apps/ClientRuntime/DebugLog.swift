#if canImport(os)
    internal import os
#else
    internal import AlmanacPOSIX
#endif

/// The log of problems for an app that does not receive them itself: `os.Logger` on Apple platforms, standard error on
/// Linux.
package enum DebugLog {
    /// Logs a problem in a debug build. A release build logs nothing.
    ///
    /// - Parameter library: the library that reports the problem: `AlmanacConfig`.
    package static func write(_ problem: some CustomStringConvertible, library: String) {
        #if DEBUG
            let line = problem.description.split(whereSeparator: \.isNewline).joined(separator: " ")
            #if canImport(os)
                Logger(subsystem: "Almanac", category: library).warning("\(line, privacy: .public)")
            #else
                Process.report("\(library): \(line)")
            #endif
        #endif
    }
}
