public import AlmanacTargeting

/// The flags and entries that were translated from files of another flag system, with a report about each.
public struct ImportedProject: Sendable {
    public var flags: [ImportedFlag] = []
    /// The shared rules (`$evaluators`) that the flags refer to.
    public var sharedRules: [FlagObject.Member] = []
    /// Values without rules, which become plain entries.
    public var entries: [FlagObject.Member] = []
    /// A line for each flag and parameter of the files, also for those that cannot be kept.
    public var report: [ReportLine] = []
    /// The attributes that rules read, by their names in the files.
    public var attributes: AttributeTable
    /// The system's own evaluation of the files.
    public var reference: any SourceReference
    /// The name of the system's own environment, if the files or the caller name it.
    public var environment: String?
    /// The system and its environment, by which a later import finds its flags.
    public internal(set) var origin = ImportOrigin("", environment: nil)
    /// The split algorithm of the environment that evaluates the flags. It matters only to a rule with `fractional`.
    public var fractional = FractionalVersion.version3

    public init(attributes: AttributeTable, reference: some SourceReference) {
        self.attributes = attributes
        self.reference = reference
    }
}

/// A flag that was translated.
public struct ImportedFlag: Sendable {
    /// The key in Almanac.
    public let key: String
    /// The key in the files.
    public let source: String
    /// The definition in flagd's format, without metadata about the source.
    public let definition: FlagObject
    /// The description of the entry.
    public let description: String?

    public init(key: String, source: String, definition: FlagObject, description: String? = nil) {
        self.key = key
        self.source = source
        self.definition = definition
        self.description = description
    }
}

/// A statement about a flag or a parameter of the files.
public struct ReportLine: Sendable {
    /// The key in the files.
    public let source: String
    /// The key in Almanac, or nil if it cannot be kept.
    public let key: String?
    public let verdict: Verdict
    /// The place in the file, as a JSON pointer (RFC 6901).
    public let pointer: String

    public init(source: String, key: String?, verdict: Verdict, pointer: String) {
        self.source = source
        self.key = key
        self.verdict = verdict
        self.pointer = pointer
    }

    public enum Verdict: Sendable, Equatable {
        /// Everybody gets what the other system gives.
        case exact
        /// Everybody gets the same except in these cases, each a clause that follows "differs when".
        case differs(when: [String])
        /// The flag is left out, for this reason.
        case cannot(String)

        /// The name in the report: `exact`, `differs` or `cannot`.
        public var name: String {
            switch self {
            case .exact: "exact"
            case .differs: "differs"
            case .cannot: "cannot"
            }
        }
    }
}
