public import AlmanacTargeting
public import AlmanacTimestamps

/// The flags that one view of the config has, compiled once; carried over to the next snapshot when no flag changed.
public final class CompiledFlags: Sendable {
    /// The flags in the order of their keys.
    public let set: FlagSet
    /// What else is known of each, in the same order.
    public let details: [Detail]
    /// The set as flagd reads it.
    let document = OnceValue<[UInt8]>()
    private let preparation = OnceValue<any AnyObject & Sendable>()
    /// The rows that it is of, sorted by key.
    let rows: [Entry]

    /// What is known of a flag besides its definition.
    public struct Detail: Sendable {
        public let description: String
        /// Whether clients without a token may see what it is for them.
        public let isPublic: Bool
        public let updatedAt: Timestamp
        public let revision: Int64
    }

    /// - Parameter rows: the flags that are there, and what they share, sorted by key.
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

    /// What is sent of the flags, worked out once. All who ask make the same.
    public func prepared<Answers: AnyObject & Sendable>(_ make: () -> Answers) -> Answers {
        preparation.value(make) as! Answers
    }

    /// Whether it is of these very rows.
    func isOf(_ others: [Entry]) -> Bool { rows.elementsEqual(others) { $0.isSameRow(as: $1) } }
}

extension Flag {
    /// Whether its metadata, or the set's, say `"almanac.public": true`.
    fileprivate var isMarkedPublic: Bool {
        if case .bool(true)? = metadata("almanac.public") { true } else { false }
    }
}
