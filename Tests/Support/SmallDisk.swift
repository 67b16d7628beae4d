/// A file system in memory with a small limit. Only root can mount one.
///
/// A process with a mount namespace of its own has mounted the file system, which ends with that process. No mount is
/// left over, however a test ends.
public final class SmallDisk: Sendable {
    /// The path of the file system's root, as seen from here.
    public let path: String
    private let folder: TemporaryFolder
    private let holder: BackgroundCommand

    public init(bytes: Int) throws {
        let folder = try TemporaryFolder()
        let holder = try BackgroundCommand(
            "unshare",
            [
                "--mount", "sh", "-c", "mount -t tmpfs -o size=\(bytes) none \"$0\" && echo mounted && exec sleep 600",
                folder.path,
            ])
        guard eventually({ !holder.isRunning || !holder.outputBytes.isEmpty }), holder.isRunning else {
            throw CommandFailure(description: "no disk: \(String(decoding: holder.errorBytes, as: UTF8.self))")
        }
        (self.folder, self.holder, path) = (folder, holder, "/proc/\(holder.pid)/root\(folder.path)")
    }
}
