internal import AlmanacCZip

/// A writer of zip archives.
public enum ZipWriter {
    /// The contents of a file in an archive.
    public enum Contents: Sendable {
        case bytes([UInt8])
        /// The path of a file, which is copied in parts and not compressed.
        case file(String)
    }

    /// Returns the bytes of an archive with the files.
    ///
    /// - Parameters:
    ///   - files: Unique paths with slashes, and the contents.
    ///   - seconds: The modification time of all files, in seconds since 1970.
    public static func archive(of files: [(path: String, bytes: [UInt8])], seconds: Int64) throws(ZipFailure) -> [UInt8]
    {
        var error = unsafe zip_error_t()
        unsafe zip_error_init(&error)
        defer { unsafe zip_error_fini(&error) }
        guard let target = unsafe zip_source_buffer_create(nil, 0, 1, &error) else {
            throw unsafe ZipFailure.writing(error)
        }
        // The archive releases its reference when closed, and the result is read from the buffer afterwards.
        unsafe zip_source_keep(target)
        defer { unsafe zip_source_free(target) }
        unsafe try write(files.map { ($0.path, .bytes($0.bytes)) }, seconds, to: target)
        return unsafe try contents(of: target)
    }

    /// Writes an archive with the files into a file, which keeps its permissions.
    public static func write(
        _ files: [(path: String, contents: Contents)], seconds: Int64, to place: String
    ) throws(ZipFailure) {
        var error = unsafe zip_error_t()
        unsafe zip_error_init(&error)
        defer { unsafe zip_error_fini(&error) }
        guard let target = unsafe zip_source_file_create(place, 0, -1, &error) else {
            throw unsafe ZipFailure.writing(error)
        }
        unsafe try write(files, seconds, to: target)
    }

    /// Writes an archive into a source, and releases a reference to the source.
    private static func write(
        _ files: [(path: String, contents: Contents)], _ seconds: Int64, to target: OpaquePointer
    ) throws(ZipFailure) {
        var error = unsafe zip_error_t()
        unsafe zip_error_init(&error)
        defer { unsafe zip_error_fini(&error) }
        guard let archive = unsafe zip_open_from_source(target, ZIP_TRUNCATE, &error) else {
            unsafe zip_source_free(target)
            throw unsafe ZipFailure.writing(error)
        }
        do throws(ZipFailure) {
            for file in files { unsafe try add(file.path, file.contents, seconds, to: archive) }
        } catch {
            unsafe zip_discard(archive)
            throw error
        }
        guard unsafe zip_close(archive) == 0 else {
            let failure = unsafe ZipFailure.writing(zip_get_error(archive).pointee)
            unsafe zip_discard(archive)
            throw failure
        }
    }

    private static func add(
        _ path: String, _ contents: Contents, _ seconds: Int64, to archive: OpaquePointer
    ) throws(ZipFailure) {
        let source = unsafe try source(of: contents, archive)
        let index = unsafe zip_file_add(archive, path, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            unsafe zip_source_free(source)
            throw unsafe ZipFailure.writing(zip_get_error(archive).pointee)
        }
        // Pictures are compressed already.
        if case .file = contents, unsafe zip_set_file_compression(archive, zip_uint64_t(index), ZIP_CM_STORE, 0) != 0 {
            throw unsafe ZipFailure.writing(zip_get_error(archive).pointee)
        }
        // Unix permissions: only the owner can read and write the file.
        let mode = zip_uint32_t(0o100600) << 16
        guard unsafe czip_set_time(archive, zip_uint64_t(index), seconds) == 0,
            unsafe zip_file_set_external_attributes(
                archive, zip_uint64_t(index), 0, zip_uint8_t(ZIP_OPSYS_UNIX), mode) == 0
        else { throw unsafe ZipFailure.writing(zip_get_error(archive).pointee) }
    }

    private static func source(of contents: Contents, _ archive: OpaquePointer) throws(ZipFailure) -> OpaquePointer {
        let source: OpaquePointer?
        switch contents {
        case .bytes(let bytes):
            // Safe because libzip owns the copy from here on, and frees it with the source.
            let copy = unsafe bytes.withUnsafeBytes { unsafe czip_copy($0.baseAddress, $0.count) }
            guard let copy = unsafe copy else { fatalError("out of memory") }
            unsafe source = zip_source_buffer(archive, copy, zip_uint64_t(bytes.count), 1)
            if unsafe source == nil { unsafe czip_free(copy) }
        case .file(let path): unsafe source = zip_source_file(archive, path, 0, -1)
        }
        guard let source = unsafe source else { throw unsafe ZipFailure.writing(zip_get_error(archive).pointee) }
        return unsafe source
    }

    private static func contents(of source: OpaquePointer) throws(ZipFailure) -> [UInt8] {
        var information = unsafe zip_stat_t()
        guard unsafe zip_source_stat(source, &information) == 0, unsafe zip_source_open(source) == 0 else {
            throw unsafe ZipFailure.writing(zip_source_error(source).pointee)
        }
        defer { unsafe zip_source_close(source) }
        var bytes = [UInt8](repeating: 0, count: Int(unsafe information.size))
        var count = 0
        while count < bytes.count {
            let room = bytes.count - count
            // Safe because libzip writes at most as many bytes as there is room for.
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe zip_source_read(source, buffer.baseAddress! + count, zip_uint64_t(room))
            }
            guard read > 0 else { throw unsafe ZipFailure.writing(zip_source_error(source).pointee) }
            count += Int(read)
        }
        return bytes
    }
}

extension ZipFailure {
    fileprivate static func writing(_ error: zip_error_t) -> Self {
        var error = unsafe error
        return .system(unsafe String(cString: zip_error_strerror(&error)))
    }
}
