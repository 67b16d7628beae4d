internal import AlmanacForms
internal import AlmanacJSON

/// A set of flags in flagd's format: definitions by key, and shared settings.
struct FlagDocument {
    /// The definitions, with unique keys.
    private let flags: [(name: String, value: JSONValue)]
    /// The shared settings in the document: `$evaluators`, `metadata`, `$schema`.
    private let shared: JSONObject

    /// The warnings about flags with invalid keys.
    let warnings: [String]

    private static let sharedNames = ["$schema", "$evaluators", "metadata"]

    /// The treatment of flags with invalid keys. Other systems allow spaces and slashes, for instance.
    enum InvalidKeyPolicy {
        case refuse, skip, rename
    }

    /// - Parameter document: An object with `flags`: definitions by key, or an array of definitions with a `key` each.
    init(_ document: JSONValue, _ invalidKeys: InvalidKeyPolicy = .refuse) throws(ConfigRefusal) {
        guard let object = document.objectValue else {
            throw .invalidFlags([Self.fault("", "expected an object with the member 'flags'")])
        }
        if let unknown = object.members.first(where: { $0.name != "flags" && !Self.sharedNames.contains($0.name) }) {
            throw .invalidFlags([
                Self.fault("", "unknown member '\(unknown.name)'; expected flags, $evaluators, metadata, $schema")
            ])
        }
        shared = object.removing("flags")
        let all = try Self.definitions(object["flags"])
        let wrong = all.map(\.name).filter { !Self.isKey($0) }
        switch invalidKeys {
        case .refuse where !wrong.isEmpty: throw .invalidFlagKeys(wrong)
        case .rename:
            var taken = Set(all.map(\.name))
            var names: [String: String] = [:]
            for name in wrong {
                let key = Self.key(like: name, besides: taken)
                taken.insert(key)
                names[name] = key
            }
            flags = all.map { (names[$0.name] ?? $0.name, $0.value) }
            warnings = wrong.map { "'\($0.prefix(200))' is stored as '\(names[$0] ?? "")'" }
        default:
            flags = all.filter { Self.isKey($0.name) }
            warnings = wrong.map { "'\($0.prefix(200))' was skipped; expected a key of the form \(EntryKey.form)" }
        }
    }

    private static func isKey(_ name: String) -> Bool { EntryKey.isValid(name) && name != EntryKind.flagSetKey }

    /// Returns an unused valid key that resembles a name.
    private static func key(like name: String, besides taken: Set<String>) -> String {
        var key = String(name.unicodeScalars.map { EntryKey.isValid("_\($0)") ? Character($0) : "_" }.prefix(120))
        if !EntryKey.isValid(key) || key == EntryKind.flagSetKey { key = "_" + key }
        var (candidate, number) = (key, 1)
        while taken.contains(candidate) {
            number += 1
            candidate = "\(key)_\(number)"
        }
        return candidate
    }

    private static func definitions(_ flags: JSONValue?) throws(ConfigRefusal) -> [(name: String, value: JSONValue)] {
        if let object = flags?.objectValue { return object.members }
        guard let elements = flags?.arrayValue else {
            throw .invalidFlags([fault("/flags", "expected an object with a definition for each key")])
        }
        var members: [(name: String, value: JSONValue)] = []
        for (index, element) in elements.enumerated() {
            guard let definition = element.objectValue, let key = definition["key"]?.stringValue else {
                throw .invalidFlags([fault("/flags/\(index)", "a flag in an array must be an object with a 'key'")])
            }
            members.append((key, .object(definition.removing("key"))))
        }
        guard JSONObject(members).count == members.count else {
            throw .invalidFlags([fault("/flags", "two flags have the same key")])
        }
        return members
    }

    private static func fault(_ path: String, _ message: String) -> DefinitionFault {
        DefinitionFault(key: EntryKind.flagSetKey, path: path, message: message)
    }

    /// Returns the edits that replace all flags by those of the document.
    ///
    /// - Parameters:
    ///   - fractional: The version of the split algorithm. Nil keeps the current version. If there are no flags yet,
    ///     nil selects version 2, as in flagd, so that every user keeps the same variant.
    ///   - current: The existing entries.
    func edits(_ fractional: Int?, replacing current: [String: Entry]) throws -> [EntryEdit] {
        let present = current.values.filter { $0.kind != .value }
        let nulls = flags.filter { $0.value == .null }
        guard nulls.isEmpty else {
            throw ConfigRefusal.invalidFlags(
                nulls.map { DefinitionFault(key: $0.name, path: "", message: "a flag must be an object") })
        }
        let kept = Set(flags.map(\.name))
        let removals = present.filter { $0.kind == .flag && !kept.contains($0.key) }.map(\.key).sorted()
        let edits =
            flags.map { flag in
                let description = flag.value.objectValue?["description"]?.stringValue
                let fits = (description?.utf8.count ?? 0) <= Entry.maxDescriptionBytes
                return EntryEdit(key: flag.name, value: flag.value, description: fits ? description : nil, kind: .flag)
            }
            + removals.map { EntryEdit(key: $0, value: nil, description: nil) }
        let row = present.first { $0.kind == .flagSet }
        let old = try row?.value.map { try JSONValue(parsing: $0, limits: .stored) }?.objectValue ?? JSONObject()
        var settings = shared
        if let number = fractional.map({ JSONValue.number(JSONNumber($0)) })
            ?? old["fractional"] ?? (present.isEmpty && !flags.isEmpty ? .number(JSONNumber(2)) : nil),
            // Version 3 is the default, so it is omitted unless the old settings have the member.
            number != .number(JSONNumber(3)) || old["fractional"] != nil
        {
            settings = settings.setting("fractional", number)
        }
        if settings.isEmpty, row == nil { return edits }
        return edits + [
            EntryEdit(key: EntryKind.flagSetKey, value: .object(settings), description: nil, kind: .flagSet)
        ]
    }

    /// Returns the document of the stored values of flags.
    ///
    /// - Parameter shared: The value of `_flags`; nil if the entry does not exist.
    static func text(flags: [(key: String, value: [UInt8])], shared: [UInt8]?) throws -> [UInt8] {
        let settings = try shared.map { try JSONValue(parsing: $0, limits: .stored) }?.objectValue ?? JSONObject()
        return JSONWriter.object(capacity: flags.reduce(256) { $0 + $1.key.utf8.count + $1.value.count + 4 }) {
            writer in
            if let schema = settings["$schema"] { writer.member("$schema", value: schema) }
            writer.member("flags", object: { writer in for flag in flags { writer.member(flag.key, raw: flag.value) } })
            for name in ["$evaluators", "metadata"] {
                if let value = settings[name] { writer.member(name, value: value) }
            }
        }
    }
}
