internal import AlmanacEnvironments
internal import AlmanacJSON
internal import AlmanacPostgreSQL

extension ReleaseWriter {
    /// Replaces all flags by those of a document.
    func replaceFlags(by document: FlagDocument, _ fractional: Int?, _ intent: Intent) throws -> Outcome {
        try release(intent, keys: nil) { current, _, _ in try document.edits(fractional, replacing: current) }
    }

    /// Forecasts the replacement of all flags by those of a document.
    func forecastFlags(_ document: FlagDocument, _ fractional: Int?, _ intent: Intent) throws -> Forecast {
        try forecast(intent, keys: nil) { current, _, _ in try document.edits(fractional, replacing: current) }
    }

    /// Refuses a release that breaks flags, and makes each pinned major keep the flags whose changes it cannot take.
    ///
    /// - Parameters:
    ///   - majors: The majors that are not retired.
    ///   - replan: Makes a new plan that withholds the changes of some keys from some majors.
    func withFlags(
        _ plan: ReleasePlan, _ intent: Intent, _ majors: [Int], on connection: Connection,
        replan: (_ withheld: ReleasePlan.Withheld) throws -> ReleasePlan
    ) throws -> (ReleasePlan, FlagPlan) {
        let rows = try connection.run(EntryStatements.flags).map { try Entry($0) }
        var plan = plan
        var flags = FlagPlan(plan, on: rows)
        // A restore may bring back flags that were accepted before.
        if !intent.isLenient, intent.kind != .restore { try flags.check() }
        var withheld: ReleasePlan.Withheld = [:]
        var analysis = FlagRowAnalysis()
        for major in majors where major < plan.version.major {
            // Each iteration reduces the changes for this major, so the loop ends.
            while case let kept = flags.keysToKeep(in: major, &analysis), !kept.isEmpty {
                for (key, fault) in kept { withheld[key, default: [:]][major] = fault.reason(toWithhold: key) }
                plan = try replan(withheld)
                flags = FlagPlan(plan, on: rows)
            }
        }
        return (plan, flags)
    }
}
