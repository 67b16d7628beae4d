internal import Synchronization

/// A problem that an app's developers should know, while reading continues with a default.
public enum ConfigReport: Sendable, Equatable, CustomStringConvertible {
    /// Neither the server nor the bundled defaults have a value; reported once for each key, after the server's first
    /// response.
    case missing(key: String)
    /// The value is not of the requested type; reported once for each key.
    case wrongType(key: String, expected: String, found: String)
    /// The cache file can't be read or written.
    case cache(String)

    /// The message for a log, in one line.
    public var description: String {
        switch self {
        case .missing(let key): "config \(key): the server has no such key"
        case .wrongType(let key, let expected, let found): "config \(key): expected \(expected), found \(found)"
        case .cache(let what): "config cache: \(what)"
        }
    }
}

/// A forwarder of reports that reports each kind of problem once for each key.
final class ConfigReporter: Sendable {
    private struct Subject: Hashable {
        let key: String
        let isMissing: Bool
    }

    private let reported = Mutex<Set<Subject>>([])
    private let receive: @Sendable (ConfigReport) -> Void

    init(_ receive: @escaping @Sendable (ConfigReport) -> Void) { self.receive = receive }

    func report(_ report: ConfigReport) {
        let subject: Subject? =
            switch report {
            case .missing(let key): Subject(key: key, isMissing: true)
            case .wrongType(let key, _, _): Subject(key: key, isMissing: false)
            case .cache: nil
            }
        if let subject, !reported.withLock({ $0.insert(subject).inserted }) { return }
        receive(report)
    }
}
