internal import Glibc

extension File {
    /// Makes a folder that only its owner may enter, with those above it that are missing; one that is there is closed to
    /// all others.
    public static func makePrivateFolder(_ path: String) throws(SystemFailure) {
        let parts = path.split(separator: "/")
        for count in parts.indices.dropFirst() {
            let above = (path.hasPrefix("/") ? "/" : "") + parts[..<count].joined(separator: "/")
            if unsafe mkdir(above, 0o700) != 0, errno != EEXIST, errno != EROFS { throw .last }
        }
        if unsafe mkdir(path, 0o700) == 0 { return }
        guard errno == EEXIST else { throw .last }
        var information = stat()
        guard unsafe stat(path, &information) == 0 else { throw .last }
        guard information.st_mode & S_IFMT == S_IFDIR else { throw SystemFailure(code: ENOTDIR) }
        if information.st_mode & 0o077 != 0, unsafe chmod(path, 0o700) != 0 { throw .last }
    }
}
