internal import AlmanacTargeting

/// The entries that a set of flags is compiled from.
struct FlagSource {
    /// The rows of flags, sorted by key.
    let flags: [Entry]
    /// The definitions in the same order; null for an unreadable definition.
    private let definitions: [FlagValue]
    /// The settings that all flags share.
    let shared: SharedFlagSettings
    /// The faults of texts that cannot be parsed.
    let unreadable: [DefinitionFault]

    /// - Parameter rows: The rows of flags and shared settings, without tombstones, sorted by key.
    init(_ rows: [Entry]) {
        flags = rows.filter { $0.kind == .flag }
        var unreadable: [DefinitionFault] = []
        definitions = flags.map { row in
            do throws(JSONFault) {
                return try FlagValue(stored: row.value ?? [])
            } catch {
                unreadable.append(DefinitionFault(key: row.key, path: "", message: error.message))
                return .null
            }
        }
        shared = SharedFlagSettings(rows.first { $0.kind == .flagSet }?.value)
        self.unreadable = unreadable
    }

    /// Compiles the flags, with one definition replaced or added, or with other shared rules or another split algorithm
    /// than the stored ones.
    func compiled(
        replacing replacement: (key: String, definition: FlagValue)? = nil, _ evaluators: FlagObject? = nil,
        _ fractional: FractionalVersion? = nil
    ) -> FlagSet {
        var members = zip(flags, definitions).map { FlagObject.Member($0.key, $1) }
        if let replacement {
            members.removeAll { $0.name == replacement.key }
            members.append(FlagObject.Member(replacement.key, replacement.definition))
        }
        return FlagSet(
            FlagObject(members) ?? FlagObject(), evaluators: evaluators ?? shared.evaluators, metadata: shared.metadata,
            fractional: fractional ?? shared.fractional)
    }
}

extension FlagValue {
    /// Parses a stored value, which was validated when it was written.
    init(stored value: [UInt8]) throws(JSONFault) { try self.init(json: value, maxDepth: 1024) }
}

/// A fault in the definition of one entry.
struct DefinitionFault: Hashable, Sendable {
    let key: String
    /// A JSON pointer into the entry's value.
    let path: String
    let message: String

    /// The fault in one line: `'wide' at /targeting: unknown rule 'new'`.
    var text: String { "'\(key)'\(path.isEmpty ? "" : " at \(path)"): \(message)" }

    /// The fault as a reason to withhold an entry, which names its key only if the fault is in another entry.
    func reason(toWithhold entry: String) -> String {
        key != entry ? text : path.isEmpty ? message : "at \(path): \(message)"
    }
}

/// The value of the entry `_flags`: the settings that all flags share.
struct SharedFlagSettings {
    var fractional = FractionalVersion.version3
    var evaluators = FlagObject()
    var metadata = FlagObject()
    private(set) var faults: [DefinitionFault] = []

    /// - Parameter value: The value as JSON; nil if the entry does not exist.
    init(_ value: [UInt8]?) {
        guard let value else { return }
        guard case .object(let object)? = try? FlagValue(stored: value) else {
            refuse("", "expected an object with any of fractional, $evaluators, metadata and $schema")
            return
        }
        for member in object.members {
            switch (member.name, member.value) {
            case ("fractional", .number(let number)) where number.double == 2: fractional = .version2
            case ("fractional", .number(let number)) where number.double == 3: fractional = .version3
            case ("fractional", _): refuse("/fractional", "expected 2 or 3")
            case ("$evaluators", .object(let rules)): evaluators = rules
            case ("metadata", .object(let members)): metadata = members
            case ("$evaluators", _), ("metadata", _): refuse("/" + member.name, "expected an object")
            case ("$schema", .string): break
            case ("$schema", _): refuse("/$schema", "expected the address of a schema as a text")
            default: refuse("", "unknown member '\(member.name)'; expected fractional, $evaluators, metadata, $schema")
            }
        }
    }

    private mutating func refuse(_ path: String, _ message: String) {
        faults.append(DefinitionFault(key: EntryKind.flagSetKey, path: path, message: message))
    }
}
