internal import AlmanacJSON

/// A set of flags as flagd reads it: definitions by key, and what they share.
struct FlagDocument {
    /// The definitions, each key once.
    private let flags: [(name: String, value: JSONValue)]
    /// What flags share, as it stands in the document: `$evaluators`, `metadata`, `$schema`.
    private let shared: JSONObject

    private static let sharedNames = ["$schema", "$evaluators", "metadata"]

    /// - Parameter document: flags are members of an object, or elements of an array with a `key` each.
    init(_ document: JSONValue) throws(ConfigRefusal) {
        guard let object = document.objectValue else {
            throw .invalidFlags([Self.fault("", "a set is an object with 'flags'")])
        }
        if let unknown = object.members.first(where: { $0.name != "flags" && !Self.sharedNames.contains($0.name) }) {
            throw .invalidFlags([
                Self.fault("", "'\(unknown.name)' is not known here; expected flags, $evaluators, metadata, $schema")
            ])
        }
        flags = try Self.definitions(object["flags"])
        shared = object.removing("flags")
        let wrong = flags.map(\.name).filter { !ConfigKey.isValid($0) || $0 == EntryKind.flagSetKey }
        guard wrong.isEmpty else { throw .invalidFlagKeys(wrong) }
    }

    private static func definitions(_ flags: JSONValue?) throws(ConfigRefusal) -> [(name: String, value: JSONValue)] {
        if let object = flags?.objectValue { return object.members }
        guard let elements = flags?.arrayValue else {
            throw .invalidFlags([fault("/flags", "expected an object with a definition for each key")])
        }
        var members: [(name: String, value: JSONValue)] = []
        for (index, element) in elements.enumerated() {
            guard let definition = element.objectValue, let key = definition["key"]?.stringValue else {
                throw .invalidFlags([fault("/flags/\(index)", "a flag of an array is an object with a 'key'")])
            }
            members.append((key, .object(definition.removing("key"))))
        }
        guard JSONObject(members).count == members.count else {
            throw .invalidFlags([fault("/flags", "two flags have one key")])
        }
        return members
    }

    private static func fault(_ path: String, _ message: String) -> DefinitionFault {
        DefinitionFault(key: EntryKind.flagSetKey, path: path, message: message)
    }

    /// The edits that make the flags those of the document, and no others.
    ///
    /// - Parameters:
    ///   - fractional: how splits are to be made; nil for as they are, and for the first flags as flagd does, so that
    ///     everybody keeps their variant.
    ///   - current: the entries that are there.
    func edits(_ fractional: Int?, replacing current: [String: Entry]) throws -> [EntryEdit] {
        let present = current.values.filter { $0.kind != .value }
        let nulls = flags.filter { $0.value == .null }
        guard nulls.isEmpty else {
            throw ConfigRefusal.invalidFlags(
                nulls.map { DefinitionFault(key: $0.name, path: "", message: "a flag is an object") })
        }
        let kept = Set(flags.map(\.name))
        let removals = present.filter { $0.kind == .flag && !kept.contains($0.key) }.map(\.key).sorted()
        let edits =
            flags.map { EntryEdit(key: $0.name, value: $0.value, description: nil, kind: .flag) }
            + removals.map { EntryEdit(key: $0, value: nil, description: nil) }
        let row = present.first { $0.kind == .flagSet }
        let old = try row?.value.map { try JSONValue(parsing: $0, limits: .stored) }?.objectValue ?? JSONObject()
        var settings = shared
        if let number = fractional.map({ JSONValue.number(JSONNumber($0)) })
            ?? old["fractional"] ?? (present.isEmpty && !flags.isEmpty ? .number(JSONNumber(2)) : nil),
            // What goes without saying is only said where it was.
            number != .number(JSONNumber(3)) || old["fractional"] != nil
        {
            settings = settings.setting("fractional", number)
        }
        if settings.isEmpty, row == nil { return edits }
        return edits + [
            EntryEdit(key: EntryKind.flagSetKey, value: .object(settings), description: nil, kind: .flagSet)
        ]
    }

    /// Writes a set from the values of its entries, all as JSON.
    ///
    /// - Parameter shared: the value of `_flags`; nil where there is none.
    static func text(flags: [(key: String, value: [UInt8])], shared: [UInt8]?) throws -> [UInt8] {
        let settings = try shared.map { try JSONValue(parsing: $0, limits: .stored) }?.objectValue ?? JSONObject()
        return JSONWriter.object(capacity: flags.reduce(256) { $0 + $1.key.utf8.count + $1.value.count + 4 }) {
            writer in
            if let schema = settings["$schema"] { writer.member("$schema", value: schema) }
            writer.member(
                "flags", object: { writer in for flag in flags { writer.member(flag.key, raw: flag.value) } })
            for name in ["$evaluators", "metadata"] {
                if let value = settings[name] { writer.member(name, value: value) }
            }
        }
    }
}
