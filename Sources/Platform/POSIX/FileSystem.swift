internal import Glibc

/// The file system that a folder is on.
public struct FileSystem: Sendable {
    /// The number that tells it from others of this machine.
    public let device: UInt64
    public let bytes: UInt64
    /// What users other than root may still write.
    public let freeBytes: UInt64
    /// How many more files there may be; nil where the file system sets no number beforehand.
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

    /// What two paths of one file have in common, and no others.
    public static func identity(of file: String) throws(SystemFailure) -> [UInt64] {
        var place = stat()
        guard unsafe stat(file, &place) == 0 else { throw .last }
        return [UInt64(place.st_dev), UInt64(place.st_ino)]
    }
}
