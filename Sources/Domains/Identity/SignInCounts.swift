internal import AlmanacHTTP
public import AlmanacMetrics

extension Metric {
    public static let signIns = Metric(
        .counter, "almanac_sign_ins_total", by: ["method", "result"],
        "Sign-ins of browsers; the result is accepted, refused, or failed because a database or a provider is away.")

    public static let ofIdentity: [Metric] = [signIns]
}

/// The sign-ins of browsers in a server process, by method and result.
public final class SignInCounts: MetricSource {
    private let counts = Family<Counter>(.signIns)
    private let members: [SignInMethod: (accepted: Counter, refused: Counter, failed: Counter)]

    public init() {
        let counts = counts
        members = Dictionary(
            uniqueKeysWithValues: SignInMethod.allCases.map { method in
                func counter(_ result: String) -> Counter { counts.member(method.rawValue, result) }
                return (method, (counter("accepted"), counter("refused"), counter("failed")))
            })
    }

    /// Counts the result of a sign-in.
    func counting<Result>(_ method: SignInMethod, _ signIn: () throws -> Result) throws -> Result {
        let counters = members[method]!
        do {
            let result = try signIn()
            counters.accepted.add()
            return result
        } catch {
            let isRefusal = (error as? Problem).map { $0.kind.status < 500 } ?? false
            (isRefusal ? counters.refused : counters.failed).add()
            throw error
        }
    }

    public func write(to exposition: inout Exposition) { counts.write(to: &exposition) }
}
