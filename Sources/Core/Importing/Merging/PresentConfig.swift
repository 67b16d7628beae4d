public import AlmanacTargeting

/// The config of an environment before an import.
public struct PresentConfig: Sendable {
    /// The definitions of flags by key.
    public var flags: [String: FlagObject]
    /// The plain values by key.
    public var entries: [String: FlagValue]
    /// The value of `_flags`: the settings and rules that all flags share. Empty if there is none.
    public var settings: FlagObject

    public init(
        flags: [String: FlagObject] = [:], entries: [String: FlagValue] = [:], settings: FlagObject = FlagObject()
    ) {
        (self.flags, self.entries, self.settings) = (flags, entries, settings)
    }

    /// The version of splits.
    public var fractional: FractionalVersion {
        if case .number(let number)? = settings["fractional"], number.double == 2 { return .version2 }
        return .version3
    }

    /// The flags, compiled.
    public var flagSet: FlagSet {
        FlagSet(
            FlagObject(flags.map { FlagObject.Member($0.key, .object($0.value)) }) ?? FlagObject(),
            evaluators: evaluators, fractional: fractional)
    }

    /// The rules that all flags share.
    var evaluators: FlagObject {
        if case .object(let rules)? = settings["$evaluators"] { return rules }
        return FlagObject()
    }

    /// The record of an origin's shared rules and plain entries.
    func record(of origin: ImportOrigin) -> ImportRecord {
        guard case .object(let metadata)? = settings["metadata"], case .string(let text)? = metadata[origin.recordName]
        else { return ImportRecord() }
        return ImportRecord(text)
    }
}
