internal import Glibc

/// Functions that read or write whole files.
public enum File {
    /// Reads a file. A file larger than the limit, in bytes, is refused with `EFBIG`.
    public static func read(_ path: String, limit: Int = 16 << 20) throws(SystemFailure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw .last }
        defer { close(descriptor) }
        var contents: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .last
            }
            if count == 0 { return contents }
            contents += chunk[..<count]
            if contents.count > limit { throw SystemFailure(code: EFBIG) }
        }
    }

    /// Creates a new file that only its owner can read.
    ///
    /// An existing file is refused with `EEXIST`, so that no secret is written to a file that others can read.
    public static func createPrivate(_ path: String, contents: [UInt8]) throws(SystemFailure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw .last }
        defer { close(descriptor) }
        try write(contents, to: descriptor)
    }

    /// Returns the names of the files in a folder, sorted by their bytes.
    public static func names(inFolder path: String) throws(SystemFailure) -> [String] {
        guard let folder = unsafe opendir(path) else { throw .last }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            // Safe because d_name ends with a zero byte and lives until the next readdir.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress!, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw .last
            }
            rest = rest.dropFirst(count)
        }
    }

    public static func exists(_ path: String) throws(SystemFailure) -> Bool {
        if unsafe access(path, F_OK) == 0 { return true }
        if errno == ENOENT { return false }
        throw .last
    }

    /// Creates a new file atomically, unless the path exists. Returns true if the file was created.
    ///
    /// - Parameter permissions: The permissions as in `chmod(2)`, regardless of the umask.
    @discardableResult public static func createWhole(_ path: String, contents: [UInt8], permissions: UInt32)
        throws(SystemFailure) -> Bool
    {
        let (file, draft) = try DraftFile.named("\(path).")
        defer { unsafe unlink(draft) }
        try file.write(contents)
        guard fchmod(file.descriptor, permissions) == 0 else { throw .last }
        if unsafe link(draft, path) == 0 { return true }
        if errno == EEXIST { return false }
        throw .last
    }

    /// Replaces the contents of a file atomically: a reader sees either the old or the new contents in full.
    ///
    /// A symbolic link is kept, and its target is replaced. The file gains no permission, and keeps its owner if this
    /// process may change owners. A FIFO or a device is written into instead.
    ///
    /// - Parameters:
    ///   - permissions: The permissions of a new file, regardless of the umask. Nil refuses to create a file, and to
    ///     change the owner or remove a permission of an existing one.
    ///   - addsPermissions: True to add all of these permissions to an existing file.
    ///   - isDurable: True to flush the contents to the disk first.
    public static func replace(
        _ path: String, contents: [UInt8], permissions: UInt32?, addsPermissions: Bool = false, isDurable: Bool = false
    ) throws(SystemFailure) {
        var information = stat()
        let isThere = unsafe stat(path, &information) == 0
        if !isThere, errno != ENOENT || permissions == nil { throw .last }
        let place = try target(of: path)
        guard !isThere || (information.st_mode & S_IFMT == S_IFREG && !place.hasPrefix("/proc/")) else {
            return try append(contents, to: path)
        }
        let present = information.st_mode & 0o7777
        let mode = permissions.map { isThere && !addsPermissions ? present & $0 : $0 } ?? present
        let (file, draft) = try DraftFile.named("\(place).")
        do throws(SystemFailure) {
            try file.write(contents)
            // Changing the owner removes permissions, so it comes first.
            let isKept = !isThere || fchown(file.descriptor, information.st_uid, information.st_gid) == 0
            guard isKept || permissions != nil, fchmod(file.descriptor, mode) == 0 else { throw .last }
            try file.publish(draft, as: place, isDurable: isDurable)
        } catch {
            unsafe unlink(draft)
            throw error
        }
    }

    /// Returns the absolute path without symbolic links.
    public static func resolved(_ path: String) throws(SystemFailure) -> String {
        guard let text = unsafe realpath(path, nil) else { throw .last }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// Appends to an existing file, like `>>` in a shell.
    private static func append(_ contents: [UInt8], to path: String) throws(SystemFailure) {
        let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC)
        if descriptor < 0 { throw .last }
        defer { close(descriptor) }
        try write(contents, to: descriptor)
    }

    /// Returns the final target of a path's symbolic links, which need not exist. A path that is not a link is returned
    /// unchanged.
    ///
    /// A path to one of this process's open files (`/dev/stdout`) is followed only as far as `/proc`.
    public static func target(of path: String) throws(SystemFailure) -> String {
        var place = path
        for _ in 0..<40 {
            if place.hasPrefix("/proc/") { return place }
            var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe readlink(place, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
            }
            if count < 0 {
                guard errno == EINVAL || errno == ENOENT else { throw .last }
                return place
            }
            let link = String(decoding: bytes[..<count], as: UTF8.self)
            let folder = place.lastIndex(of: "/").map { place[...$0] } ?? ""
            place = link.hasPrefix("/") ? link : folder + link
        }
        throw SystemFailure(code: ELOOP)
    }

    /// Returns the length of a regular file in bytes. Other types are refused.
    public static func size(_ path: String) throws(SystemFailure) -> Int {
        var information = stat()
        guard unsafe stat(path, &information) == 0 else { throw .last }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw SystemFailure(code: information.st_mode & S_IFMT == S_IFDIR ? EISDIR : ESPIPE)
        }
        return Int(information.st_size)
    }

    /// Creates a private folder with missing parent folders. An existing folder is closed to other users.
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

    /// Creates a folder, whose parent must exist; an existing folder is left unchanged. Returns true if it was created.
    ///
    /// - Parameter permissions: The permissions before the umask. The set-group-ID bit and the group come from the
    ///   parent.
    @discardableResult
    public static func makeFolder(_ path: String, permissions: UInt32) throws(SystemFailure) -> Bool {
        if unsafe mkdir(path, permissions) == 0 { return true }
        if errno == EEXIST { return false }
        throw .last
    }

    /// Gives a new file or folder to the owner and the group of a folder, if this process may change owners. A folder
    /// also gets the permissions.
    public static func inheritOwner(_ path: String, of folder: String) throws(SystemFailure) {
        guard geteuid() == 0 else { return }
        var (model, information) = (stat(), stat())
        guard unsafe stat(folder, &model) == 0, unsafe stat(path, &information) == 0,
            unsafe chown(path, model.st_uid, model.st_gid) == 0
        else { throw .last }
        guard information.st_mode & S_IFMT == S_IFDIR else { return }
        if unsafe chmod(path, model.st_mode & 0o7777) != 0 { throw .last }
    }

    /// Flushes a folder's entries to the disk, so that a rename in it survives a power failure.
    public static func flushFolder(_ path: String) throws(SystemFailure) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { throw .last }
        defer { close(descriptor) }
        if fsync(descriptor) != 0 { throw .last }
    }

    /// Reads a number of bytes from an offset, or fewer at the end of the file.
    public static func read(_ path: String, from offset: Int, count: Int) throws(SystemFailure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw .last }
        defer { close(descriptor) }
        var contents = [UInt8](repeating: 0, count: count)
        var length = 0
        while length < count {
            let read = unsafe contents.withUnsafeMutableBytes {
                unsafe pread(descriptor, $0.baseAddress! + length, count - length, offset + length)
            }
            if read < 0 {
                if errno == EINTR { continue }
                throw .last
            }
            if read == 0 { break }
            length += read
        }
        contents.removeLast(count - length)
        return contents
    }

    public static func remove(_ path: String) { unsafe unlink(path) }
}
