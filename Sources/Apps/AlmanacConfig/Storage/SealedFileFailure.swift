/// Why a file on the device can't be used.
enum SealedFileFailure: Error, Equatable, CustomStringConvertible {
    /// It is not one of this library and this form.
    case foreign
    /// It was cut or changed since it was written.
    case corrupt
    case unreadable(String)

    var description: String {
        switch self {
        case .foreign: "the file is of another kind"
        case .corrupt: "the file is damaged"
        case .unreadable(let reason): "the file can't be read: \(reason)"
        }
    }
}
