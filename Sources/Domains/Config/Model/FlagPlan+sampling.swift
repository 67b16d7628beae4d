internal import AlmanacTargeting

extension FlagPlan {
    /// The most flags of which a forecast tells, and of which it finds that out.
    private static let (mostToTell, mostToTry) = (20, 1000)
    /// How many callers are tried for one flag at most, for all of them, and first where there are many.
    private static let (sample, sampleOfAll, firstSample) = (10_000, 50_000, 100)

    /// How many of a sample of callers the release gives another variant, for each flag where some move.
    ///
    /// - Parameter now: the time in seconds since 1970.
    func warnings(now: Int64) -> [String] {
        let (before, after) = (flagsBefore, flagsAfter)
        let changesShared = changed.contains(EntryKind.flagSetKey)
        let affected = after.flags.map(\.key).filter {
            (changesShared || changed.contains($0)) && before.index(of: $0) != nil
        }
        let callers = min(Self.sample, Self.sampleOfAll / max(1, min(affected.count, Self.mostToTell)))
        var stepsLeft = FlagSet.mostSteps
        var warnings: [String] = []
        for (index, key) in affected.prefix(Self.mostToTry).enumerated() where warnings.count < Self.mostToTell {
            guard stepsLeft > 0 else {
                warnings.append(
                    "the rules do so much that only \(index) of \(affected.count) flags were tried for sampled "
                        + "targeting keys")
                break
            }
            func sample(_ count: Int) -> FlagSample {
                FlagSample(
                    of: key, in: after, against: before, ids: FlagSample.ids(count), now: now, stepsLeft: &stepsLeft)
            }
            // Of many flags a few callers tell well enough whether anybody moves.
            if affected.count > Self.mostToTell, sample(Self.firstSample).moved == 0 { continue }
            let found = sample(callers)
            guard found.moved > 0 else { continue }
            warnings.append("'\(key)': \(found.moved) of \(found.sampled) sampled targeting keys get another variant")
        }
        return warnings
    }
}
