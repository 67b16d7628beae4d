internal import Synchronization

/// A problem that an app's developers should know, while reading continues with a default.
public enum ConfigReport: Sendable, Equatable, CustomStringConvertible {
    /// The value is not of the requested type; reported once for each key.
    case wrongType(key: String, expected: String, found: String)
    /// The cache file can't be read or written.
    case cache(String)

    /// The message for a log, in one line.
    public var description: String {
        switch self {
        case .wrongType(let key, let expected, let found): "config \(key): expected \(expected), found \(found)"
        case .cache(let what): "config cache: \(what)"
        }
    }
}

/// A forwarder of reports that reports each key once.
final class ConfigReporter: Sendable {
    private let reportedKeys = Mutex<Set<String>>([])
    private let receive: @Sendable (ConfigReport) -> Void

    init(_ receive: @escaping @Sendable (ConfigReport) -> Void) { self.receive = receive }

    func report(_ report: ConfigReport) {
        if case .wrongType(let key, _, _) = report, !reportedKeys.withLock({ $0.insert(key).inserted }) { return }
        receive(report)
    }
}
