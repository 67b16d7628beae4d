public import Foundation

public final class WidgetCenter: @unchecked Sendable {
    // Safe because the class has no mutable state.
    public static let shared = WidgetCenter()

    public func reloadAllTimelines() {}
}

extension FileManager {
    /// Returns a temporary folder for the group. On Apple's platforms, Foundation has this function.
    public func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? {
        temporaryDirectory.appending(path: group)
    }
}
