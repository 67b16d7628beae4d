internal import AlmanacJSON

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

    /// - Parameter newest: The newest rows of the keys before the release.
    init(_ plan: ReleasePlan, at head: Head, newest: [String: Entry], flags: FlagPlan?, majors: [Major]) {
        self.head = head
        self.plan = plan
        self.flags = flags
        rows = plan.changes.enumerated().map { index, change in
            Entry(
                // A new row gets an id that no stored row has.
                id: newest[change.key]?.id ?? -1 - Int64(index), key: change.key, kind: change.kind,
                firstMajor: plan.firstMajors[index], endMajor: nil, value: change.after?.serialized(),
                description: change.description, revision: head.revision, updatedAt: head.updatedAt, author: nil)
        }
        self.majors = majors.filter { $0.retiredAt == nil }.map { plan.forecast(for: $0.newest.major) }
    }
}

/// The effect of a release on the clients that are pinned to one major.
struct MajorForecast {
    let major: Int
    /// The keys that keep their old value in this major because of the release.
    let keptEntries: [(key: String, value: JSONValue)]
    /// The keys whose new value this major receives.
    let receivedKeys: [String]
}

extension ReleasePlan {
    fileprivate func forecast(for major: Int) -> MajorForecast {
        var keptEntries: [(key: String, value: JSONValue)] = []
        var receivedKeys: [String] = []
        for (index, change) in changes.enumerated() {
            if let before = change.before, majorsKeepingOldValue[index].contains(major) {
                keptEntries.append((change.key, before))
            } else if firstMajors[index] <= major, change.reason != .descriptionChanged {
                receivedKeys.append(change.key)
            }
        }
        return MajorForecast(major: major, keptEntries: keptEntries, receivedKeys: receivedKeys)
    }
}
