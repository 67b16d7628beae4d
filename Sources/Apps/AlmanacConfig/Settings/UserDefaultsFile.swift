#if os(Linux)
    internal import Foundation
    internal import Synchronization

    /// The file in which Foundation on Linux keeps a suite of user defaults.
    ///
    /// Foundation itself stores nothing unless it is told to, and then cuts the file before it writes: on a full disk
    /// all settings would be gone. Here the file is replaced as a whole or stays as it was.
    struct UserDefaultsFile {
        private let folder: String
        private let path: String

        /// Held while a file is read, changed and replaced, since several suites' settings may be set at once.
        private static let lock = Mutex(())

        init(suite: String?) {
            let variables = ProcessInfo.processInfo.environment
            folder = variables["XDG_CONFIG_HOME"] ?? (variables["HOME"] ?? NSHomeDirectory()) + "/.config"
            let name = suite ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
            path = "\(folder)/\(name).plist"
        }

        /// - Parameter object: nil removes the value.
        /// - Throws: why the file could not be replaced; then it is as before.
        func set(_ object: Any?, forKey key: String) throws {
            try Self.lock.withLock { _ in
                var values = read()
                values[key] = object
                // Not as XML, which can't hold every text.
                let data = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
                let files = FileManager.default
                try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try data.write(to: URL(filePath: path), options: .atomic)
                try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            }
        }

        /// What can't be read counts as empty, for Foundation too.
        private func read() -> [String: Any] {
            guard let data = try? Data(contentsOf: URL(filePath: path)),
                // Safe because no pointer for the format is handed over.
                let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil)
            else { return [:] }
            return list as? [String: Any] ?? [:]
        }
    }
#endif
