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
        case .damaged(let file?): "the archive is damaged: '\(file)' is not what is said of it"
        case .damaged(nil): "expected a zip archive; this is none, or not a whole one"
        case .tooLarge(let file?): "'\(file)' in the archive is larger than what is read of one"
        case .tooLarge(nil): "the archive holds more than what is read of one"
        case .encrypted(let name): "'\(name)' in the archive is encrypted; make one without a password"
        case .unknownMethod(let name): "'\(name)' in the archive is compressed in a way that is not known here"
        case .system(let text): text
        }
    }
}
