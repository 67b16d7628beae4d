internal import AlmanacTargeting

extension FlagPlan {
    /// The maximum number of flags with a warning, and of flags that are sampled.
    private static let (maxWarnings, maxSampledFlags) = (20, 1000)
    /// The sample sizes: for one flag, for all flags together, and for one flag in a first pass over many flags.
    private static let (sampleSize, totalSampleSize, firstPassSize) = (10_000, 50_000, 100)

    /// Returns a warning for each flag that gives some of the sampled targeting keys another variant after the release.
    ///
    /// - Parameter now: The time in seconds since 1970.
    func warnings(now: Int64) -> [String] {
        let (before, after) = (flagsBefore, flagsAfter)
        let changesShared = changed.contains(EntryKind.flagSetKey)
        let affected = after.flags.map(\.key).filter {
            (changesShared || changed.contains($0)) && before.index(of: $0) != nil
        }
        let callers = min(Self.sampleSize, Self.totalSampleSize / max(1, min(affected.count, Self.maxWarnings)))
        var stepsLeft = FlagSet.maxSteps
        var warnings: [String] = []
        for (index, key) in affected.prefix(Self.maxSampledFlags).enumerated() where warnings.count < Self.maxWarnings {
            guard stepsLeft > 0 else {
                warnings.append("sampling stopped at the step limit after \(index) of \(affected.count) flags")
                break
            }
            func sample(_ count: Int) -> FlagSample {
                FlagSample(
                    of: key, in: after, against: before, ids: FlagSample.ids(count), now: now, stepsLeft: &stepsLeft)
            }
            // If many flags change, a small sample first rules out flags that affect nobody.
            if affected.count > Self.maxWarnings, sample(Self.firstPassSize).moved == 0 { continue }
            let found = sample(callers)
            guard found.moved > 0 else { continue }
            warnings.append("'\(key)': \(found.moved) of \(found.sampled) sampled targeting keys get another variant")
        }
        return warnings
    }
}
