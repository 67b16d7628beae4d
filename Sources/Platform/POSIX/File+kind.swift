internal import Glibc

extension File {
    /// What stands under a name.
    public enum Kind: Sendable {
        case file, folder
        /// A link, where links are not followed; a device, a FIFO.
        case other
    }

    /// Finds out what stands under a name; nothing fails with `ENOENT`.
    public static func kind(_ path: String, followsLinks: Bool = true) throws(SystemFailure) -> Kind {
        var information = stat()
        let code = followsLinks ? unsafe stat(path, &information) : unsafe lstat(path, &information)
        guard code == 0 else { throw .last }
        return switch information.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .other
        }
    }
}
