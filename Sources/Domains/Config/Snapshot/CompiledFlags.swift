public import AlmanacTargeting
public import AlmanacTimestamps

/// The flags of one view of the config, compiled once and reused by the next snapshot if no flag changed.
public final class CompiledFlags: Sendable {
    /// The flags, sorted by key.
    public let set: FlagSet
    /// The further properties of each flag, in the same order.
    public let details: [Detail]
    /// The flags as a document in flagd's format.
    let document = OnceValue<[UInt8]>()
    private let preparation = OnceValue<any AnyObject & Sendable>()
    private let schedules = OnceValue<[(key: String, schedule: FlagSchedule)]>()
    /// The rows that the flags were compiled from, sorted by key.
    let rows: [Entry]

    /// The properties of a flag besides its definition.
    public struct Detail: Sendable {
        public let description: String
        /// True if clients without a token may evaluate the flag.
        public let isPublic: Bool
        public let updatedAt: Timestamp
        public let revision: Int64
    }

    /// - Parameter rows: The rows of live flags and shared settings, sorted by key.
    init(_ rows: [Entry]) {
        self.rows = rows
        let source = FlagSource(rows)
        set = source.compiled()
        details = zip(set.flags, source.flags).map { flag, row in
            Detail(
                description: row.description, isPublic: flag.isMarkedPublic, updatedAt: row.updatedAt,
                revision: row.revision)
        }
    }

    /// Returns the answers made from the flags, computed once. Every caller must pass the same `make`.
    public func prepared<Answers: AnyObject & Sendable>(_ make: () -> Answers) -> Answers {
        preparation.value(make) as! Answers
    }

    /// The schedules of the flags that change by a ramp or at a time that their rules name, sorted by key.
    var timed: [(key: String, schedule: FlagSchedule)] {
        schedules.value {
            let shared = SharedFlagSettings(rows.first { $0.kind == .flagSet }?.value).evaluators
            return rows.compactMap { row in
                guard row.kind == .flag, let definition = try? FlagValue(stored: row.value ?? []) else { return nil }
                var schedule = FlagSchedule()
                schedule.add(definition: definition, sharedRules: shared)
                return schedule.ramps.isEmpty && schedule.comparedTimes.isEmpty ? nil : (row.key, schedule)
            }
        }
    }

    /// Returns true if the flags were compiled from the same rows.
    func isOf(_ others: [Entry]) -> Bool { rows.elementsEqual(others) { $0.isSameRow(as: $1) } }
}

extension Flag {
    /// True if the metadata of the flag or of the set contains `"almanac.public": true`.
    fileprivate var isMarkedPublic: Bool { if case .bool(true)? = metadata("almanac.public") { true } else { false } }
}
