internal import Synchronization

/// Something that an app's developers should know, though reading goes on with a default.
public enum ConfigReport: Sendable, Equatable, CustomStringConvertible {
    /// A value is not of the type that was asked for; reported once for each key.
    case wrongType(key: String, expected: String, found: String)
    /// The file with the last fetched config can't be used or written.
    case cache(String)

    /// One line for a log.
    public var description: String {
        switch self {
        case .wrongType(let key, let expected, let found): "config \(key): expected \(expected), found \(found)"
        case .cache(let what): "config cache: \(what)"
        }
    }
}

/// Hands reports on, those about a key once each.
final class ConfigReporter: Sendable {
    /// The keys that have been reported; they only become more.
    private let reportedKeys = Mutex<Set<String>>([])
    private let receive: @Sendable (ConfigReport) -> Void

    init(_ receive: @escaping @Sendable (ConfigReport) -> Void) {
        self.receive = receive
    }

    func report(_ report: ConfigReport) {
        if case .wrongType(let key, _, _) = report, !reportedKeys.withLock({ $0.insert(key).inserted }) { return }
        receive(report)
    }
}
