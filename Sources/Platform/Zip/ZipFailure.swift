/// The reason for which an archive or a file in it can't be read or written.
public enum ZipFailure: Error, Equatable, Sendable {
    /// The bytes are not a complete zip archive, or a file in it differs from its directory entry.
    case damaged(file: String?)
    /// The archive exceeds a limit of the reader.
    case tooLarge(file: String?)
    case encrypted(String)
    /// The compression method of the file is unknown.
    case unknownMethod(String)
    /// A system call failed.
    case system(String)
}

extension ZipFailure: CustomStringConvertible {
    /// The reason, for people.
    public var description: String {
        switch self {
        case .damaged(let file?): "the archive is damaged: '\(file)' differs from its directory entry"
        case .damaged(nil): "the file is not a complete zip archive"
        case .tooLarge(let file?): "'\(file)' in the archive exceeds the size limit of a file"
        case .tooLarge(nil): "the archive exceeds the limit on the number or total size of its files"
        case .encrypted(let name): "'\(name)' in the archive is encrypted; create an archive without a password"
        case .unknownMethod(let name): "'\(name)' in the archive has an unknown compression method; use deflate"
        case .system(let text): text
        }
    }
}
