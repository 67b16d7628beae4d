internal import AlmanacJSON
internal import AlmanacProposals

/// The effect of a release that is not made, computed by the plan that would make it.
struct Forecast {
    /// The head that the plan is based on.
    let head: Head
    let plan: ReleasePlan
    /// The effect on the flags; nil if the release changes none.
    let flags: FlagPlan?
    /// The newest rows of the changed keys, in their state after the release.
    let rows: [Entry]
    /// The effect on the clients of each major that is still served, oldest major first.
    let majors: [MajorForecast]
    /// The approvals that the release lacks.
    var unmet: [ReviewStanding.Unmet] = []

    init(_ plan: ReleasePlan, at head: Head, flags: FlagPlan?, majors: [Major]) throws {
        self.head = head
        self.plan = plan
        self.flags = flags
        rows = plan.changes.enumerated().map { index, change in
            Entry(
                // A new row gets an id that no stored row has.
                id: plan.row(of: change.key, in: .max)?.id ?? -1 - Int64(index), key: change.key, kind: change.kind,
                majors: plan.receivers[index].last!, value: change.after?.serialized(),
                description: change.description, revision: head.revision, updatedAt: head.updatedAt, author: nil)
        }
        self.majors = try majors.filter { $0.retiredAt == nil }.map { try plan.forecast(for: $0.newest.major) }
    }
}

/// The effect of a release on the clients that are pinned to one major.
struct MajorForecast {
    let major: Int
    /// The changed keys whose new value this major cannot take, with the value that it keeps. The reason is nil if the
    /// change removes or retypes something.
    let keptEntries: [(key: String, value: JSONValue, reason: String?)]
    /// The added flags that this major does not get, because it lacks something that they depend on.
    let withheldFlags: [(key: String, reason: String)]
    /// The keys whose new value this major receives.
    let receivedKeys: [String]
}

extension ReleasePlan {
    fileprivate func forecast(for major: Int) throws -> MajorForecast {
        var keptEntries: [(key: String, value: JSONValue, reason: String?)] = []
        var withheldFlags: [(key: String, reason: String)] = []
        var receivedKeys: [String] = []
        for (index, change) in changes.enumerated() {
            if change.reason == .descriptionChanged { continue }
            let reason = reason(toWithhold: change.key, from: major)
            if receives(index, in: major) {
                receivedKeys.append(change.key)
            } else if let value = try row(of: change.key, in: major)?.content() {
                if value != change.after { keptEntries.append((change.key, value, reason)) }
            } else if change.after != nil, let reason {
                withheldFlags.append((change.key, reason))
            }
        }
        return MajorForecast(
            major: major, keptEntries: keptEntries, withheldFlags: withheldFlags, receivedKeys: receivedKeys)
    }
}
