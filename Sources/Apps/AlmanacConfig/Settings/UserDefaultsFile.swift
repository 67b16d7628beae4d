#if os(Linux)
    internal import Foundation
    internal import Synchronization

    /// The file of a user defaults suite in Foundation on Linux.
    ///
    /// Foundation stores values only on `synchronize()`, and truncates the file before writing, so a full disk would
    /// erase all settings. This type replaces the file atomically.
    struct UserDefaultsFile {
        private let folder: String
        private let path: String

        /// A lock for the read, change and replacement of a file, because several tasks may set values at once.
        private static let lock = Mutex(())

        init(suite: String?) {
            let variables = ProcessInfo.processInfo.environment
            folder = variables["XDG_CONFIG_HOME"] ?? (variables["HOME"] ?? NSHomeDirectory()) + "/.config"
            let name = suite ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
            path = "\(folder)/\(name).plist"
        }

        /// Stores a value; nil removes the stored value.
        ///
        /// - Throws: an error if the file could not be replaced; the file is then unchanged.
        func set(_ object: Any?, forKey key: String) throws {
            try Self.lock.withLock { _ in
                var values = read()
                values[key] = object
                // The XML format can't represent every string.
                let data = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
                let files = FileManager.default
                try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try data.write(to: URL(filePath: path), options: .atomic)
                try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            }
        }

        /// Reads the file. Like in Foundation, an unreadable file counts as empty.
        private func read() -> [String: Any] {
            guard let data = try? Data(contentsOf: URL(filePath: path)),
                // Safe because the call passes no pointer for the format.
                let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil)
            else { return [:] }
            return list as? [String: Any] ?? [:]
        }
    }
#endif
