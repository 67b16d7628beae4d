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
    /// - Parameter replan: Makes a new plan with the first majors that receive the changes of some keys.
    func withFlags(
        _ plan: ReleasePlan, _ intent: Intent, on connection: Connection,
        replan: (_ floors: [String: Int]) throws -> ReleasePlan
    ) throws -> (ReleasePlan, FlagPlan) {
        let rows = try connection.run(EntryStatements.flags).map { try Entry($0) }
        var plan = plan
        var flags = FlagPlan(plan, on: rows)
        // A restore may bring back flags that were accepted before.
        if !intent.isLenient, intent.kind != .restore { try flags.check() }
        let majors = try connection.run(MajorStatements.all).map { try Major($0) }
        let pinned = majors.filter { $0.retiredAt == nil && $0.newest.major < plan.version.major }.map(\.newest.major)
        var floors: [String: Int] = [:]
        for major in pinned.sorted(by: >) {
            // Each iteration reduces the changes for this major, so the loop ends.
            while case let kept = flags.keysToKeep(in: major), !kept.isEmpty {
                for key in kept { floors[key] = max(floors[key] ?? 0, major + 1) }
                plan = try replan(floors)
                flags = FlagPlan(plan, on: rows)
            }
        }
        return (plan, flags)
    }
}
