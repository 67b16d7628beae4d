public import AlmanacEnvironments
internal import AlmanacPOSIX
public import AlmanacPostgreSQL
public import AlmanacTimestamps

/// A folder with one environment's backups, named after the moments when they were begun. The newest are kept.
public struct BackupFolder: Sendable {
    private let path: String
    private let environment: EnvironmentSettings

    /// - Parameter path: the folder of all environments; each has one of its own in it.
    public init(_ path: String, of environment: EnvironmentSettings) {
        self.path = "\(path)/\(environment.name)"
        self.environment = environment
    }

    /// Writes another backup, and then removes the oldest ones.
    ///
    /// - Parameter count: how many are kept at least; other files in the folder are left alone.
    public func add(
        at now: Timestamp, keeping count: Int, scratch: ConnectionSettings?,
        progress: @escaping @Sendable (String, Int) -> Void
    ) throws -> (path: String, contents: DatabaseContents, bytes: Int, removed: [String]) {
        do throws(SystemFailure) { try File.makePrivateFolder(path) } catch {
            throw MaintenanceFailure("\(path): \(error)")
        }
        let file = "\(path)/\(environment.name)-\(Self.mark(now)).dump"
        let result = try Backup(environment, scratch: scratch, progress: progress).write(file, replaces: false)
        return (file, result.contents, result.bytes, try removeOldest(keeping: count))
    }

    private func removeOldest(keeping count: Int) throws -> [String] {
        // Names of one length, in the order of their times.
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
        return name.hasPrefix(prefix)
            && name.dropFirst(prefix.count).wholeMatch(of: /[0-9]{8}T[0-9]{6}Z\.dump/) != nil
    }

    /// A time as it stands in names: `20261122T021500Z`.
    private static func mark(_ time: Timestamp) -> String {
        "\(time)".prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
