internal import Glibc

public struct FileSystem: Sendable {
    /// The device number, which is unique on this machine.
    public let device: UInt64
    public let bytes: UInt64
    /// The free space for users other than root, in bytes.
    public let freeBytes: UInt64
    /// The number of further files, or nil if the file system has no fixed limit.
    public let freeFiles: UInt64?

    public init(of folder: String) throws(SystemFailure) {
        var place = stat()
        guard unsafe stat(folder, &place) == 0 else { throw .last }
        device = UInt64(place.st_dev)
        var counts = statvfs()
        guard unsafe statvfs(folder, &counts) == 0 else { throw .last }
        bytes = UInt64(counts.f_blocks) * UInt64(counts.f_frsize)
        freeBytes = UInt64(counts.f_bavail) * UInt64(counts.f_frsize)
        freeFiles = counts.f_files == 0 ? nil : UInt64(counts.f_favail)
    }

    /// Returns the time of a file's last change, in seconds since 1970.
    public static func modificationTime(of file: String) throws(SystemFailure) -> Int64 {
        var place = stat()
        guard unsafe stat(file, &place) == 0 else { throw .last }
        return Int64(place.st_mtim.tv_sec)
    }

    /// Returns the time of the last change of a file's contents, name or permissions, which no program can set, in
    /// seconds since 1970.
    public static func changeTime(of file: String) throws(SystemFailure) -> Int64 {
        var place = stat()
        guard unsafe stat(file, &place) == 0 else { throw .last }
        return Int64(place.st_ctim.tv_sec)
    }

    /// Returns an identity that is equal only for paths to the same file.
    public static func identity(of file: String) throws(SystemFailure) -> [UInt64] {
        var place = stat()
        guard unsafe stat(file, &place) == 0 else { throw .last }
        return [UInt64(place.st_dev), UInt64(place.st_ino)]
    }
}
