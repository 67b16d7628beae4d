internal import Glibc

extension File {
    /// Removes a file, if it is there.
    public static func remove(_ path: String) {
        unsafe unlink(path)
    }
}
