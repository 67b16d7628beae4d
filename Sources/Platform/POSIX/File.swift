internal import Glibc

/// Whole files, read and written in one go.
public enum File {
    /// Reads a file.
    ///
    /// - Parameter limit: a larger file is refused with `EFBIG`; in bytes.
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

    /// Makes a new file that only its owner can read.
    ///
    /// A file that exists already is refused with `EEXIST`, so that no secret lands in a file others can read.
    public static func createPrivate(_ path: String, contents: [UInt8]) throws(SystemFailure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw .last }
        defer { close(descriptor) }
        try write(contents, to: descriptor)
    }

    /// The names of the files in a folder, sorted by their bytes.
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
        let (file, draft) = try DraftFile.named("\(path).")
        defer { unsafe unlink(draft) }
        try file.write(contents)
        guard fchmod(file.descriptor, permissions) == 0 else { throw .last }
        if unsafe link(draft, path) == 0 { return true }
        if errno == EEXIST { return false }
        throw .last
    }

    /// Puts contents in the place of what has that name: who opens it finds the old or the new ones, all of them.
    ///
    /// A symbolic link stays, and what it leads to is replaced. A file gains no permission and keeps, as far as this
    /// process may give files away, its owner. What is no file, a FIFO or a device, is written into.
    ///
    /// - Parameters:
    ///   - permissions: of a new file, whatever the process's mask is. Nil refuses to make one, and to take from one
    ///     that is there its owner or a permission.
    ///   - addsPermissions: whether a file that is there gets all of them too.
    ///   - isDurable: whether this holds after a loss of power too.
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
            // First the owner: a change of it takes permissions away.
            let isKept = !isThere || fchown(file.descriptor, information.st_uid, information.st_gid) == 0
            guard isKept || permissions != nil, fchmod(file.descriptor, mode) == 0 else { throw .last }
            try file.publish(draft, as: place, isDurable: isDurable)
        } catch {
            unsafe unlink(draft)
            throw error
        }
    }

    /// The path without links in it.
    public static func resolved(_ path: String) throws(SystemFailure) -> String {
        guard let text = unsafe realpath(path, nil) else { throw .last }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// Writes to what is there, as a shell's `>>` does.
    private static func append(_ contents: [UInt8], to path: String) throws(SystemFailure) {
        let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC)
        if descriptor < 0 { throw .last }
        defer { close(descriptor) }
        try write(contents, to: descriptor)
    }

    /// Where symbolic links lead to in the end, be something there or not; a path that is none stays as it is.
    ///
    /// A name of one of this process's own open files (`/dev/stdout`) is followed as far as `/proc`.
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

    /// How many bytes a file has; what is no file is refused.
    public static func size(_ path: String) throws(SystemFailure) -> Int {
        var information = stat()
        guard unsafe stat(path, &information) == 0 else { throw .last }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw SystemFailure(code: information.st_mode & S_IFMT == S_IFDIR ? EISDIR : ESPIPE)
        }
        return Int(information.st_size)
    }

    /// Makes a folder that only its owner may enter, with those above it that are missing; one that is there is closed
    /// to all others.
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

    /// Removes a file, if it is there.
    public static func remove(_ path: String) {
        unsafe unlink(path)
    }
}
