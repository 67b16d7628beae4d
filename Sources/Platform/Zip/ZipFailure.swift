/// Why an archive is refused.
public enum ZipFailure: Error, Equatable, Sendable {
    /// It is no zip archive, or not a whole one; or a file in it is not what the archive says of it.
    case damaged(file: String?)
    /// More files, or longer ones, than the reader takes.
    case tooLarge(file: String?)
    /// A name that is no UTF-8, or a path that leads out of the archive.
    case badName(String?)
    /// Two files have this name.
    case twice(String)
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
        case .badName(let name?): "the archive has a file with the name '\(name)', which leads out of it"
        case .badName(nil): "the archive has a file whose name is no UTF-8"
        case .twice(let name): "the archive has two files with the name '\(name)'"
        case .encrypted(let name): "'\(name)' in the archive is encrypted; make one without a password"
        case .unknownMethod(let name): "'\(name)' in the archive is compressed in a way that is not known here"
        case .system(let text): text
        }
    }
}
