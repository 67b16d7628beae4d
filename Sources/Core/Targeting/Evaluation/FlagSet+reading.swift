extension FlagSet {
    /// Reads a set in flagd's format: an object with `flags` and optionally `$evaluators` and `metadata`. The flags may
    /// also be an array of definitions with a `key`.
    public init(_ document: FlagValue, fractional: FractionalVersion) throws(FlagFault) {
        guard case .object(let object) = document else {
            throw FlagFault(at: [], "a flag set must be an object with \"flags\"")
        }
        let definitions: FlagObject
        switch object["flags"] {
        case .object(let flags)?: definitions = flags
        case .array(let flags)?: definitions = try FlagSet.definitions(flags)
        default: throw FlagFault(at: ["flags"], "flags must be an object with a definition for each key")
        }
        self.init(
            definitions, evaluators: try FlagSet.members("$evaluators", of: object),
            metadata: try FlagSet.members("metadata", of: object), fractional: fractional)
    }

    private static func members(_ name: String, of object: FlagObject) throws(FlagFault) -> FlagObject {
        switch object[name] {
        case nil: return FlagObject()
        case .object(let members)?: return members
        default: throw FlagFault(at: [name], "expected an object")
        }
    }

    private static func definitions(_ flags: FlagArray) throws(FlagFault) -> FlagObject {
        var members: [FlagObject.Member] = []
        for (index, flag) in flags.enumerated() {
            guard case .object(let definition) = flag, case .string(let key)? = definition["key"] else {
                throw FlagFault(
                    at: ["flags", index.description], "a flag in an array must be an object with a \"key\"")
            }
            members.append(FlagObject.Member(key, flag))
        }
        guard let definitions = FlagObject(members) else {
            throw FlagFault(at: ["flags"], "two flags have the same key")
        }
        return definitions
    }
}
