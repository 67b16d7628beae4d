internal import Synchronization

/// Something that an app's developers should know, though reading goes on with a default.
public enum FlagReport: Sendable, Hashable, CustomStringConvertible {
    /// The server has no such flag, or does not show it with this token.
    case missing(key: String)
    /// The flag is switched off, so that the default holds.
    case disabled(key: String)
    /// The server could not evaluate the flag.
    case broken(key: String, error: FlagError)
    /// The value is not of the type that was asked for.
    case wrongType(key: String, expected: String, found: String)
    /// A file with the last evaluations can't be used or written.
    case cache(String)

    /// One line for a log.
    public var description: String {
        switch self {
        case .missing(let key): "flag \(key): the server does not have it"
        case .disabled(let key): "flag \(key): it is disabled"
        case .broken(let key, let error): "flag \(key): \(error)"
        case .wrongType(let key, let expected, let found): "flag \(key): expected \(expected), found \(found)"
        case .cache(let what): "flag cache: \(what)"
        }
    }
}

/// Hands reports on, those about a flag once for each flag and kind.
final class FlagReporter: Sendable {
    fileprivate struct Subject: Hashable {
        let key: String
        let kind: Int
    }

    /// What has been reported; it only becomes more.
    private let reported = Mutex<Set<Subject>>([])
    private let receive: @Sendable (FlagReport) -> Void

    init(_ receive: @escaping @Sendable (FlagReport) -> Void) {
        self.receive = receive
    }

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
