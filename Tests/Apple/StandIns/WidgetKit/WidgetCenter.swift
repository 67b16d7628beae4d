public import Foundation

public final class WidgetCenter: @unchecked Sendable {
    // Safe because nothing in it changes.
    public static let shared = WidgetCenter()

    public func reloadAllTimelines() {}
}

extension FileManager {
    /// Foundation's, on Apple's platforms: here a folder for the group among the temporary ones.
    public func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? {
        temporaryDirectory.appending(path: group)
    }
}
