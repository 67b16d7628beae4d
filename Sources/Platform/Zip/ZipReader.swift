internal import AlmanacCZip

/// A zip archive in a file, whose files are read one by one.
///
/// A file that differs from its directory entry is refused, a path that leaves the archive is omitted, and nothing is
/// unpacked beyond the limits.
// Safe because the archive is used only in this class, and closed with the last reference.
@safe public final class ZipReader {
    /// The limits on reading an archive.
    public struct Limits: Sendable {
        public var maxFiles = 20_000
        /// The size of one file, in bytes.
        public var maxFileBytes = 64 << 20
        /// The size of all files read, in bytes.
        public var maxTotalBytes = 256 << 20

        /// Creates the limits for an export of notes.
        public init() {}
    }

    // Safe because the archive is opened in `init`, never leaves the class, and is closed in `deinit`.
    private let archive: OpaquePointer
    private let limits: Limits
    private var readBytes = 0

    /// The paths of the files, with slashes. Folders are omitted.
    public let paths: [String]
    /// The omitted paths, which lead out of the archive.
    public let escapingPaths: [String]

    /// Opens an archive and reads its directory.
    public init(path: String, limits: Limits = Limits()) throws(ZipFailure) {
        var error = unsafe zip_error_t()
        unsafe zip_error_init(&error)
        defer { unsafe zip_error_fini(&error) }
        guard let source = unsafe zip_source_file_create(path, 0, -1, &error) else {
            throw unsafe ZipFailure(opening: error)
        }
        guard let archive = unsafe zip_open_from_source(source, ZIP_RDONLY, &error) else {
            unsafe zip_source_free(source)
            throw unsafe ZipFailure(opening: error)
        }
        do throws(ZipFailure) {
            (paths, indices, escapingPaths) = unsafe try Self.list(archive, limits)
        } catch {
            unsafe zip_discard(archive)
            throw error
        }
        unsafe self.archive = archive
        self.limits = limits
    }

    /// The indices of the files in the archive, in the order of `paths`.
    private let indices: [UInt64]

    deinit { unsafe zip_discard(archive) }

    private static func list(
        _ archive: OpaquePointer, _ limits: Limits
    ) throws(ZipFailure) -> (paths: [String], indices: [UInt64], unfit: [String]) {
        let count = unsafe zip_get_num_entries(archive, 0)
        guard count <= limits.maxFiles else { throw .tooLarge(file: nil) }
        var paths: [String] = []
        var indices: [UInt64] = []
        var unfit: [String] = []
        for index in 0..<UInt64(max(0, count)) {
            // libzip converts names in code page 437 to UTF-8.
            guard let written = unsafe zip_get_name(archive, index, zip_flags_t(ZIP_FL_ENC_GUESS)) else {
                throw .damaged(file: nil)
            }
            // Safe because the name ends with a zero, and is the archive's.
            let name = unsafe String(cString: written)
            // Old Windows programs write backslashes.
            let parts = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
            if parts.last?.isEmpty ?? true { continue }
            if parts.contains("..") {
                unfit.append(name)
            } else {
                paths.append(parts.filter { !$0.isEmpty && $0 != "." }.joined(separator: "/"))
                indices.append(index)
            }
        }
        return (paths, indices, unfit)
    }

    /// Reads the file at an index of `paths`.
    public func contents(at place: Int) throws(ZipFailure) -> [UInt8] {
        let (path, index) = (paths[place], indices[place])
        var information = unsafe zip_stat_t()
        let wanted = UInt64(ZIP_STAT_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD)
        guard unsafe zip_stat_index(archive, index, 0, &information) == 0, unsafe information.valid & wanted == wanted
        else { throw .damaged(file: path) }
        if unsafe information.encryption_method != ZIP_EM_NONE { throw .encrypted(path) }
        let method = Int32(unsafe information.comp_method)
        guard method == ZIP_CM_STORE || method == ZIP_CM_DEFLATE else { throw .unknownMethod(path) }
        let size = unsafe information.size
        guard size <= limits.maxFileBytes else { throw .tooLarge(file: path) }
        readBytes += Int(size)
        guard readBytes <= limits.maxTotalBytes else { throw .tooLarge(file: nil) }
        guard let file = unsafe zip_fopen_index(archive, index, 0) else { throw .damaged(file: path) }
        defer { unsafe zip_fclose(file) }
        // An extra byte detects a longer file, and makes libzip verify the checksum at the end.
        var bytes = [UInt8](repeating: 0, count: Int(size) + 1)
        var count = 0
        while count < bytes.count {
            let room = bytes.count - count
            // Safe because libzip writes at most as many bytes as there is room for.
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe zip_fread(file, buffer.baseAddress! + count, zip_uint64_t(room))
            }
            guard read >= 0 else { throw .damaged(file: path) }
            if read == 0 { break }
            count += Int(read)
        }
        guard count == Int(size) else { throw .damaged(file: path) }
        bytes.removeLast()
        return bytes
    }
}

extension ZipFailure {
    fileprivate init(opening error: zip_error_t) {
        var error = unsafe error
        let isSystem = unsafe zip_error_system_type(&error) == ZIP_ET_SYS
        self = isSystem ? .system(unsafe String(cString: zip_error_strerror(&error))) : .damaged(file: nil)
    }
}
