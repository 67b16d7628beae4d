internal import AlmanacTargeting

extension FlagPlan {
    /// The most flags of which a forecast tells, and of which it finds that out.
    private static let (mostToTell, mostToTry) = (20, 1000)
    private static let (sample, firstSample) = (10_000, 100)

    /// How many of a sample of callers the release gives another variant, for each flag where some move.
    ///
    /// - Parameter now: the time in seconds since 1970.
    func warnings(now: Int64) -> [String] {
        let (before, after) = (sources.before.compiled(), sources.after.compiled())
        let changesShared = changed.contains(EntryKind.flagSetKey)
        let affected = after.flags.map(\.key).filter {
            (changesShared || changed.contains($0)) && before.index(of: $0) != nil
        }
        var warnings: [String] = []
        for key in affected.prefix(Self.mostToTry) where warnings.count < Self.mostToTell {
            func sample(_ count: Int) -> FlagSample {
                FlagSample(of: key, in: after, against: before, ids: FlagSample.ids(count), now: now)
            }
            // Of many flags a few callers tell well enough whether anybody moves.
            if affected.count > Self.mostToTell, sample(Self.firstSample).moved == 0 { continue }
            let found = sample(Self.sample)
            guard found.moved > 0 else { continue }
            warnings.append("'\(key)': \(found.moved) of \(found.sampled) sampled targeting keys get another variant")
        }
        return warnings
    }
}
