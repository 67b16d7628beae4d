internal import Glibc

/// A program that runs on this machine, as `/proc` shows it (proc(5)).
public struct RunningProgram: Sendable {
    /// The numbers of the user and the group that it runs as.
    public let user: UInt32
    public let group: UInt32
    private let pid: String

    /// Those whose file has one of these names, of at most 15 bytes.
    public static func named(_ names: [String]) -> [RunningProgram] {
        let pids = ((try? File.names(inFolder: "/proc")) ?? []).filter { $0.allSatisfy(\.isNumber) }
        return pids.compactMap { pid in
            guard let bytes = try? File.read("/proc/\(pid)/status", limit: 1 << 16) else { return nil }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            func words(_ field: String) -> [Substring] {
                lines.first { $0.hasPrefix("\(field):") }?.split(whereSeparator: \.isWhitespace) ?? []
            }
            // The second is the effective one.
            guard let name = words("Name").dropFirst().first, names.contains(String(name)),
                let user = words("Uid").dropFirst(2).first.flatMap({ UInt32($0) }),
                let group = words("Gid").dropFirst(2).first.flatMap({ UInt32($0) })
            else { return nil }
            return RunningProgram(user: user, group: group, pid: pid)
        }
    }

    /// A variable of the environment that it was started with; nil when it had none of that name.
    ///
    /// - Throws: when this user may not know, or the program has ended.
    public func variable(_ name: String) throws(SystemFailure) -> String? {
        let prefix = Array("\(name)=".utf8)
        let variable = try File.read("/proc/\(pid)/environ").split(separator: 0).first { $0.starts(with: prefix) }
        return variable.map { String(decoding: $0.dropFirst(prefix.count), as: UTF8.self) }
    }

    /// True when it has ended since it was found.
    public var hasEnded: Bool { (try? File.names(inFolder: "/proc/\(pid)")) == nil }

    /// The user's name; the number where it has none.
    public var userName: String {
        // Safe because nothing else in this process asks for an entry of the password file.
        guard let entry = unsafe getpwuid(user) else { return "\(user)" }
        return unsafe String(cString: entry.pointee.pw_name)
    }
}
