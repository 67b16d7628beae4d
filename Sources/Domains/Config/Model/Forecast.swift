internal import AlmanacJSON

/// What a release would do that is not made: worked out by the plan that would make it.
struct Forecast {
    /// The state that it was worked out on.
    let head: Head
    let plan: ReleasePlan
    /// What it would make of the flags, if anything.
    let flags: FlagPlan?
    /// The newest rows of the keys that it would change, as they would be.
    let rows: [Entry]
    /// What it would mean to the clients of each major that is still served, the oldest first.
    let majors: [MajorForecast]

    /// - Parameters:
    ///   - newest: the newest rows of the keys, as they are.
    ///   - majors: all that were released.
    init(_ plan: ReleasePlan, at head: Head, newest: [String: Entry], flags: FlagPlan?, majors: [Major]) {
        self.head = head
        self.plan = plan
        self.flags = flags
        rows = plan.changes.enumerated().map { index, change in
            Entry(
                // A row that isn't there yet has an id that no row has.
                id: newest[change.key]?.id ?? -1 - Int64(index), key: change.key, kind: change.kind,
                firstMajor: plan.firstMajors[index],
                endMajor: nil, value: change.after?.serialized(), description: change.description,
                revision: head.revision, updatedAt: head.updatedAt, author: nil)
        }
        self.majors = majors.filter { $0.retiredAt == nil }.map { plan.forecast(for: $0.newest.major) }
    }
}

/// What a release means to the clients that are pinned to one major.
struct MajorForecast {
    let major: Int
    /// The keys that they go on seeing with the value there was, because of this release.
    let keeps: [(key: String, value: JSONValue)]
    /// The keys whose new value they get.
    let receives: [String]
}

extension ReleasePlan {
    fileprivate func forecast(for major: Int) -> MajorForecast {
        var keeps: [(key: String, value: JSONValue)] = []
        var receives: [String] = []
        for (index, change) in changes.enumerated() {
            if let before = change.before, keptMajors[index].contains(major) {
                keeps.append((change.key, before))
            } else if firstMajors[index] <= major, change.reason != .descriptionChanged {
                receives.append(change.key)
            }
        }
        return MajorForecast(major: major, keeps: keeps, receives: receives)
    }
}
