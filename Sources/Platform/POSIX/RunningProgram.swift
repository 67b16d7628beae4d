internal import Glibc

/// A process on this machine, from `/proc` (proc(5)).
public struct RunningProgram: Sendable {
    /// The ids of its effective user and group.
    public let user: UInt32
    public let group: UInt32
    private let pid: String

    /// Returns the processes whose executable has one of these names, of at most 15 bytes.
    public static func named(_ names: [String]) -> [RunningProgram] {
        let pids = ((try? File.names(inFolder: "/proc")) ?? []).filter { $0.allSatisfy(\.isNumber) }
        return pids.compactMap { pid in
            guard let bytes = try? File.read("/proc/\(pid)/status", limit: 1 << 16) else { return nil }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            func words(_ field: String) -> [Substring] {
                lines.first { $0.hasPrefix("\(field):") }?.split(whereSeparator: \.isWhitespace) ?? []
            }
            // The second id is the effective one.
            guard let name = words("Name").dropFirst().first, names.contains(String(name)),
                let user = words("Uid").dropFirst(2).first.flatMap({ UInt32($0) }),
                let group = words("Gid").dropFirst(2).first.flatMap({ UInt32($0) })
            else { return nil }
            return RunningProgram(user: user, group: group, pid: pid)
        }
    }

    /// Returns a variable of the process's initial environment, or nil. Throws if this user has no permission, or the
    /// process has ended.
    public func variable(_ name: String) throws(SystemFailure) -> String? {
        let prefix = Array("\(name)=".utf8)
        let variable = try File.read("/proc/\(pid)/environ").split(separator: 0).first { $0.starts(with: prefix) }
        return variable.map { String(decoding: $0.dropFirst(prefix.count), as: UTF8.self) }
    }

    public var hasEnded: Bool { (try? File.names(inFolder: "/proc/\(pid)")) == nil }

    /// The user's name, or the user id if there is no name.
    public var userName: String {
        // Safe because nothing else in this process asks for an entry of the password file.
        guard let entry = unsafe getpwuid(user) else { return "\(user)" }
        return unsafe String(cString: entry.pointee.pw_name)
    }
}
