/// Something that an app's developers should know, though reading goes on with a default.
public enum ConfigReport: Sendable, Equatable, CustomStringConvertible {
    /// A value is not of the type that was asked for; told once for each key.
    case wrongType(key: String, expected: String, found: String)
    /// The file with the last fetched config can't be used or written.
    case cache(String)

    public var description: String {
        switch self {
        case .wrongType(let key, let expected, let found): "config \(key): expected \(expected), found \(found)"
        case .cache(let what): "config cache: \(what)"
        }
    }
}
