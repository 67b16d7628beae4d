internal import Glibc

extension File {
    public enum Kind: Sendable {
        case file, folder
        /// A device or a FIFO; or a symbolic link, if links are not followed.
        case other
    }

    /// Returns the type of a file. Throws `ENOENT` if the path does not exist.
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
