internal import Synchronization

/// A problem that an app's developers should know, while reading continues with a default.
public enum FlagReport: Sendable, Hashable, CustomStringConvertible {
    /// The flag does not exist, or the token may not read it.
    case missing(key: String)
    /// The flag is disabled, so the default applies.
    case disabled(key: String)
    /// The server could not evaluate the flag.
    case broken(key: String, error: FlagError)
    /// The value is not of the requested type.
    case wrongType(key: String, expected: String, found: String)
    /// A cache file can't be read or written.
    case cache(String)

    /// The message for a log, in one line.
    public var description: String {
        switch self {
        case .missing(let key): "flag \(key): the server has no such flag"
        case .disabled(let key): "flag \(key) is disabled"
        case .broken(let key, let error): "flag \(key): \(error)"
        case .wrongType(let key, let expected, let found): "flag \(key): expected \(expected), found \(found)"
        case .cache(let what): "flag cache: \(what)"
        }
    }
}

/// A forwarder of reports that reports each kind of problem once for each flag.
final class FlagReporter: Sendable {
    fileprivate struct Subject: Hashable {
        let key: String
        let kind: Int
    }

    private let reported = Mutex<Set<Subject>>([])
    private let receive: @Sendable (FlagReport) -> Void

    init(_ receive: @escaping @Sendable (FlagReport) -> Void) { self.receive = receive }

    func report(_ report: FlagReport) {
        if let subject = Subject(report), !reported.withLock({ $0.insert(subject).inserted }) { return }
        receive(report)
    }
}

extension FlagReporter.Subject {
    fileprivate init?(_ report: FlagReport) {
        switch report {
        case .missing(let key): self.init(key: key, kind: 0)
        case .disabled(let key): self.init(key: key, kind: 1)
        case .broken(let key, _): self.init(key: key, kind: 2)
        case .wrongType(let key, _, _): self.init(key: key, kind: 3)
        case .cache: return nil
        }
    }
}
