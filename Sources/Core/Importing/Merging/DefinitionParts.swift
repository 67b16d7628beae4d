internal import AlmanacTargeting

/// The parts of a flag's definition that are merged one by one: each variant, each name of the metadata, and each other
/// member.
struct DefinitionParts {
    private(set) var paths: [[String]] = []
    /// The values by the encoded paths, because two names with equal characters may have different bytes.
    private var values: [String: FlagValue] = [:]

    private static let groups = ["variants", "metadata"]

    init() {}

    init(_ definition: FlagObject) {
        for member in definition.members {
            guard Self.groups.contains(member.name), case .object(let group) = member.value else {
                append(member.value, at: [member.name])
                continue
            }
            for inner in group.members
            where inner.name != ImportOrigin.sourceName && inner.name != ImportOrigin.partsName {
                append(inner.value, at: [member.name, inner.name])
            }
        }
    }

    subscript(path: [String]) -> FlagValue? { values[ImportRecord.name(of: path)] }

    mutating func append(_ value: FlagValue, at path: [String]) {
        paths.append(path)
        values[ImportRecord.name(of: path)] = value
    }

    /// The definition with these parts, in their order.
    var definition: FlagObject {
        var members: [FlagObject.Member] = []
        for path in paths {
            if path.count == 1, let value = self[path] {
                members.append(FlagObject.Member(path[0], value))
            } else if !members.contains(where: { $0.name == path[0] }) {
                let group = paths.filter { $0.count == 2 && $0[0] == path[0] }
                let inner = group.compactMap { path in self[path].map { FlagObject.Member(path[1], $0) } }
                members.append(FlagObject.Member(path[0], .object(FlagObject(inner) ?? FlagObject())))
            }
        }
        return FlagObject(members) ?? FlagObject()
    }

    /// The digests of all parts.
    var record: ImportRecord {
        var record = ImportRecord()
        for path in paths { if let value = self[path] { record.set(value, at: path) } }
        return record
    }
}

extension FlagObject {
    /// Returns the definition with metadata about its source.
    ///
    /// - Parameters:
    ///   - source: The value of `almanac.source`.
    ///   - record: The parts as they were imported.
    func recorded(_ source: String, _ record: ImportRecord) -> FlagObject {
        var metadata = FlagObject()
        if case .object(let members)? = self["metadata"] { metadata = members }
        metadata = metadata.setting(ImportOrigin.sourceName, .string(source))
            .setting(ImportOrigin.partsName, .string(record.text))
        return setting("metadata", .object(metadata))
    }
}

extension ImportedFlag {
    /// Returns the definition with metadata about its source.
    func recorded(_ origin: ImportOrigin) -> FlagObject {
        definition.recorded(origin.text(of: source), DefinitionParts(definition).record)
    }
}
