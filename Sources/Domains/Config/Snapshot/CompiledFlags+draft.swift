public import AlmanacTargeting

extension CompiledFlags {
    /// Returns the stored definition of a flag, or nil if it is missing or unreadable.
    public func definition(of key: String) -> FlagValue? {
        guard let index = set.index(of: key) else { return nil }
        var place = -1
        for row in rows where row.kind == .flag {
            place += 1
            if place == index { return try? FlagValue(stored: row.value ?? []) }
        }
        return nil
    }

    /// Returns the state of a flag, for a broken flag from its definition. An unreadable flag counts as disabled.
    public func state(of flag: Flag) -> FlagState {
        if flag.isEnabled { return .enabled }
        guard flag.fault != nil, case .object(let object)? = definition(of: flag.key) else { return .disabled }
        return object["state"] == "DISABLED" ? .disabled : .enabled
    }

    /// Returns the flags with one definition, the shared rules or the split algorithm replaced.
    ///
    /// A parameter that is nil keeps what is stored.
    public func draft(
        _ definition: FlagValue?, of key: String, _ evaluators: FlagObject?, _ fractional: FractionalVersion?
    ) -> FlagSet {
        FlagSource(rows).compiled(replacing: definition.map { (key, $0) }, evaluators, fractional)
    }
}
