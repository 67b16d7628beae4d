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
}
