public import AlmanacTargeting

extension CompiledFlags {
    /// The definition of a flag as it is stored; nil if there is none, or it can't be read.
    public func definition(of key: String) -> FlagValue? {
        guard let index = set.index(of: key) else { return nil }
        var place = -1
        for row in rows where row.kind == .flag {
            place += 1
            if place == index { return try? FlagValue(stored: row.value ?? []) }
        }
        return nil
    }

    /// Whether a flag is switched on: of one that is broken, what its definition says, if that can be read.
    public func state(of flag: Flag) -> FlagState {
        if flag.isEnabled { return .enabled }
        guard flag.fault != nil, case .object(let object)? = definition(of: flag.key) else { return .disabled }
        return object["state"] == "DISABLED" ? .disabled : .enabled
    }

    /// The flags as they would be with another definition of one of them, or with another way of splitting.
    ///
    /// - Parameters:
    ///   - definition: nil keeps what there is.
    ///   - fractional: nil keeps what there is.
    public func draft(_ definition: FlagValue?, of key: String, fractional: FractionalVersion? = nil) -> FlagSet {
        FlagSource(rows).compiled(replacing: definition.map { (key, $0) }, fractional: fractional)
    }
}
