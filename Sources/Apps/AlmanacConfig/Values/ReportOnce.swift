internal import Synchronization

/// Hands reports on, those about a key once each.
final class ReportOnce: Sendable {
    private let told = Mutex<Set<String>>([])
    private let receive: @Sendable (ConfigReport) -> Void

    init(_ receive: @escaping @Sendable (ConfigReport) -> Void) {
        self.receive = receive
    }

    func report(_ report: ConfigReport) {
        if case .wrongType(let key, _, _) = report, !told.withLock({ $0.insert(key).inserted }) { return }
        receive(report)
    }
}
