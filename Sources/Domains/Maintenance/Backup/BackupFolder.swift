public import AlmanacEnvironments
internal import AlmanacPOSIX
public import AlmanacPostgreSQL
public import AlmanacTimestamps

/// A folder of one environment's backups, named after their start times. Only the newest are retained.
public struct BackupFolder: Sendable {
    private let path: String
    private let environment: EnvironmentSettings

    /// - Parameter path: the common folder of all environments, in which each has a subfolder.
    public init(_ path: String, of environment: EnvironmentSettings) {
        self.path = "\(path)/\(environment.name)"
        self.environment = environment
    }

    /// Writes another backup, and then removes the oldest ones.
    ///
    /// - Parameter count: the number of backups to retain; other files in the folder are untouched.
    public func add(
        at now: Timestamp, keeping count: Int, scratch: ConnectionSettings?,
        progress: @escaping @Sendable (String, Int) -> Void
    ) throws -> (path: String, backup: Backup.Result, removed: [String]) {
        do throws(SystemFailure) { try File.makePrivateFolder(path) } catch {
            throw MaintenanceFailure("\(path): \(error)")
        }
        let file = "\(path)/\(environment.name)-\(Self.mark(now)).dump"
        let backup = try Backup(environment, scratch: scratch, progress: progress).write(file, replaces: false)
        let removed = try removeOldest(keeping: count)
        try BackupBlobs(inFolder: path).removeUnlisted(isRotated: isBackup)
        return (file, backup, removed)
    }

    private func removeOldest(keeping count: Int) throws -> [String] {
        // All names have the same length, so their order is that of their times.
        let names: [String]
        do throws(SystemFailure) { names = try File.names(inFolder: path).filter(isBackup) } catch {
            throw MaintenanceFailure("\(path): \(error)")
        }
        let oldest = names.dropLast(count).map { "\(path)/\($0)" }
        for file in oldest { File.remove(file) }
        return oldest
    }

    private func isBackup(_ name: String) -> Bool {
        let prefix = "\(environment.name)-"
        return name.hasPrefix(prefix) && name.dropFirst(prefix.count).wholeMatch(of: /[0-9]{8}T[0-9]{6}Z\.dump/) != nil
    }

    /// Formats a time for file names: `20261122T021500Z`.
    private static func mark(_ time: Timestamp) -> String {
        "\(time)".prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
