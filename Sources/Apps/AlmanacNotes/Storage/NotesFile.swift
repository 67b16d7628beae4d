#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Access to a file of notes and to SQLite's companion files.
enum NotesFile {
    /// The suffixes of the main file and of SQLite's companion files, which get the mode of the main file.
    private static let companions = ["", "-wal", "-shm", "-journal"]

    /// Creates the file and its folder if they are missing, and restricts access to their owner.
    ///
    /// A file of another user or on a read-only disk stays unchanged. An existing file is never opened, because closing
    /// it would release the locks of this process's other connections.
    static func makePrivate(_ file: URL, isExcludedFromBackups: Bool) {
        // SQLite reports the error if the folder cannot be created.
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try? Data().write(to: file, options: .withoutOverwriting)
        for companion in companions {
            let path = file.path + companion
            guard let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int else {
                continue
            }
            if mode & 0o077 != 0 { set([.posixPermissions: mode & 0o700], path) }
            #if canImport(Darwin)
                // Untested on Linux. This protection class permits syncing while the screen is locked.
                set([.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], path)
                var url = URL(fileURLWithPath: path)
                var values = URLResourceValues()
                values.isExcludedFromBackup = isExcludedFromBackups
                try? url.setResourceValues(values)
            #endif
        }
    }

    private static func set(_ attributes: [FileAttributeKey: Any], _ path: String) {
        try? FileManager.default.setAttributes(attributes, ofItemAtPath: path)
    }
}
