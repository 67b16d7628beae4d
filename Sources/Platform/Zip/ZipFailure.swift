/// Why an archive, or a file in it, can't be read.
public enum ZipFailure: Error, Equatable, Sendable {
    /// It is no zip archive, or not a whole one; or a file in it is not what the archive says of it.
    case damaged(file: String?)
    /// More files, or longer ones, than the reader takes.
    case tooLarge(file: String?)
    case encrypted(String)
    /// The way in which this file is compressed is not known.
    case unknownMethod(String)
    /// It could not be opened, or written, for a reason of the system's.
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
