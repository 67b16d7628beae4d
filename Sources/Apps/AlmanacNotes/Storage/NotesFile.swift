#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Who may see a file of notes and those that SQLite keeps beside it.
enum NotesFile {
    /// SQLite gives the files beside it the mode that it finds on the first one.
    private static let companions = ["", "-wal", "-shm", "-journal"]

    /// Makes the file where there is none, and lets nobody but its owner read it.
    ///
    /// What belongs to somebody else, or lies on a disk that cannot be written, stays as it is. Nothing is opened that
    /// is there: closing it would take the locks from another connection of this process.
    static func makePrivate(_ file: URL, isExcludedFromBackups: Bool) {
        try? Data().write(to: file, options: .withoutOverwriting)
        for companion in companions {
            let path = file.path + companion
            guard let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int else {
                continue
            }
            if mode & 0o077 != 0 { set([.posixPermissions: mode & 0o700], path) }
            #if canImport(Darwin)
                // Untested here. Syncing goes on behind a locked screen.
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
