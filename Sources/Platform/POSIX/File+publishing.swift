internal import Glibc

extension File {
    /// Whether something has that name.
    public static func exists(_ path: String) throws(SystemFailure) -> Bool {
        if unsafe access(path, F_OK) == 0 { return true }
        if errno == ENOENT { return false }
        throw .last
    }

    /// Makes a new file that nobody ever sees half-written, unless one with that name is there already.
    ///
    /// - Parameter permissions: of `chmod(2)`, whatever the process's mask is.
    /// - Returns: whether it was made.
    @discardableResult
    public static func createWhole(
        _ path: String, contents: [UInt8], permissions: UInt32
    ) throws(SystemFailure) -> Bool {
        let draft = try draft(of: path, contents, permissions)
        defer { unsafe unlink(draft) }
        if unsafe link(draft, path) == 0 { return true }
        if errno == EEXIST { return false }
        throw .last
    }

    /// Puts a file in the place of what has that name: who opens it finds the old or the new contents, all of them.
    ///
    /// - Parameter permissions: of `chmod(2)`, whatever the process's mask is.
    public static func replace(_ path: String, contents: [UInt8], permissions: UInt32) throws(SystemFailure) {
        let draft = try draft(of: path, contents, permissions)
        if unsafe rename(draft, path) == 0 { return }
        let failure = SystemFailure.last
        unsafe unlink(draft)
        throw failure
    }

    /// Writes a file beside the one that it is to become.
    private static func draft(
        of path: String, _ contents: [UInt8], _ permissions: UInt32
    ) throws(SystemFailure) -> String {
        let draft = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36))"
        try createPrivate(draft, contents: contents)
        if unsafe chmod(draft, permissions) != 0 { throw .last }
        return draft
    }
}
