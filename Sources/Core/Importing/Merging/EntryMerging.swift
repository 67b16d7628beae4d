internal import AlmanacTargeting

/// The merge of entries, one after another.
struct EntryMerging {
    let present: PresentConfig
    let origin: ImportOrigin
    /// The record of the last import.
    let old: ImportRecord
    private(set) var changes: [ImportMerge.Change] = []
    private(set) var conflicts: [ImportMerge.Conflict] = []
    /// The flags and entries that were removed here, and did not change in the files.
    private(set) var removed: [ImportMerge.Leftover] = []
    private var new: ImportRecord
    private let evaluators: FlagObject
    /// The shared rules that become those of the files.
    private var rules: [FlagObject.Member] = []

    init(present: PresentConfig, origin: ImportOrigin, old: ImportRecord) {
        (self.present, self.origin, self.old, new) = (present, origin, old, old)
        evaluators = present.evaluators
    }

    /// The result for one part.
    private enum Outcome {
        case mine, theirs
        case conflict
    }

    /// Decides about a part by the last import, which is the common ancestor.
    private static func outcome(
        _ mine: FlagValue?, _ theirs: FlagValue?, _ old: ImportRecord, _ path: [String]
    ) -> Outcome {
        if mine == theirs || old.has(theirs, at: path) { return .mine }
        return old.has(mine, at: path) ? .theirs : .conflict
    }

    mutating func merge(_ flag: ImportedFlag, _ take: (String) -> ImportSide?) {
        let (key, path, theirs) = (flag.key, ["flags", flag.key], FlagValue.object(flag.definition))
        new.remove(["entries", key])
        if let mine = present.flags[key] {
            merge(flag, mine, take)
        } else if let side = side(key, flag.source, present.entries[key], theirs, path, take) {
            if side == .theirs { add(key, .flag, .object(flag.recorded(origin)), flag.description) }
        }
        new.set(theirs, at: path, source: flag.source)
    }

    private mutating func merge(
        _ flag: ImportedFlag, _ definition: FlagObject, _ take: (String) -> ImportSide?
    ) {
        let source = origin.text(of: flag.source)
        let (mine, theirs) = (DefinitionParts(definition), DefinitionParts(flag.definition))
        var merged = DefinitionParts()
        guard origin.source(of: definition) == flag.source else {
            // The environment has a flag of another origin.
            let isEqual = FlagValue.object(mine.definition) == .object(theirs.definition)
            if isEqual { return write(flag.key, mine, theirs, source, over: definition) }
            let values = (FlagValue.object(mine.definition), FlagValue.object(flag.definition))
            switch take(flag.key) {
            case .mine?: write(flag.key, mine, theirs, source, over: definition)
            case .theirs?: write(flag.key, theirs, theirs, source, over: definition)
            case nil: conflict(flag.key, flag.source, "", values.0, values.1)
            }
            return
        }
        let old = definition.importRecord
        var isOpen = false
        for path in mine.paths + theirs.paths.filter({ mine[$0] == nil }) {
            let (left, right) = (mine[path], theirs[path])
            var outcome = Self.outcome(left, right, old, path)
            if case .conflict = outcome {
                switch take(flag.key) {
                case .mine?: outcome = .mine
                case .theirs?: outcome = .theirs
                case nil:
                    isOpen = true
                    conflict(flag.key, flag.source, path.pointer, left, right)
                }
            }
            let value = if case .theirs = outcome { right } else { left }
            if let value { merged.append(value, at: path) }
        }
        if !isOpen { write(flag.key, merged, theirs, source, over: definition) }
    }

    /// Adds a change, unless the flag has these parts and this record.
    private mutating func write(
        _ key: String, _ parts: DefinitionParts, _ theirs: DefinitionParts, _ source: String,
        over definition: FlagObject
    ) {
        let value = FlagValue.object(parts.definition.recorded(source, theirs.record))
        if value != .object(definition) { add(key, .flag, value) }
    }

    mutating func merge(_ entry: FlagObject.Member, source: String, _ take: (String) -> ImportSide?) {
        let (key, path) = (entry.name, ["entries", entry.name])
        new.remove(["flags", key])
        let mine = present.entries[key] ?? present.flags[key].map { .object($0) }
        if side(key, source, mine, entry.value, path, take) == .theirs { add(key, .value, entry.value) }
        new.set(entry.value, at: path, source: source)
    }

    /// Decides about a whole entry. Returns nil, and reports a conflict, if nobody decides it.
    private mutating func side(
        _ key: String, _ source: String, _ mine: FlagValue?, _ theirs: FlagValue, _ path: [String],
        _ take: (String) -> ImportSide?
    ) -> ImportSide? {
        // An entry of the other kind has no record here.
        switch Self.outcome(mine, theirs, old, path) {
        case .mine:
            if mine == nil { removed.append(ImportMerge.Leftover(key: key, source: source)) }
            return .mine
        case .theirs: return .theirs
        case .conflict:
            let side = take(key)
            if side == nil { conflict(key, source, "", mine, theirs) }
            return side
        }
    }

    /// - Parameter source: The name in the files.
    mutating func merge(rule: FlagObject.Member, _ source: String, _ take: (String) -> ImportSide?) {
        let (mine, path) = (evaluators[rule.name], ["$evaluators", rule.name])
        var outcome = Self.outcome(mine, rule.value, old, path)
        if case .conflict = outcome {
            switch take(ImportMerge.settingsKey) {
            case .mine?: outcome = .mine
            case .theirs?: outcome = .theirs
            case nil: return conflict(ImportMerge.settingsKey, source, path.pointer, mine, rule.value)
            }
        }
        if case .theirs = outcome { rules.append(rule) }
        new.set(rule.value, at: path, source: source)
    }

    /// Adds the change of the settings that all flags share, if there is one.
    mutating func writeSettings() {
        var settings = present.settings
        if let changed = FlagObject(rules), !rules.isEmpty {
            let kept = evaluators.members.map { FlagObject.Member($0.name, changed[$0.name] ?? $0.value) }
            let merged = FlagObject(kept + rules.filter { evaluators[$0.name] == nil })
            settings = settings.setting("$evaluators", merged.map { .object($0) })
        }
        if !new.isEmpty {
            var metadata = FlagObject()
            if case .object(let members)? = settings["metadata"] { metadata = members }
            metadata = metadata.setting(origin.recordName, .string(new.text))
            settings = settings.setting("metadata", .object(metadata))
        }
        if FlagValue.object(settings) != .object(present.settings) {
            add(ImportMerge.settingsKey, .flagSet, .object(settings))
        }
    }

    private mutating func add(
        _ key: String, _ kind: ImportMerge.Change.Kind, _ value: FlagValue, _ description: String? = nil
    ) {
        changes.append(ImportMerge.Change(key: key, kind: kind, value: value, description: description))
    }

    private mutating func conflict(
        _ key: String, _ source: String, _ part: String, _ mine: FlagValue?, _ theirs: FlagValue?
    ) {
        conflicts.append(ImportMerge.Conflict(key: key, source: source, part: part, mine: mine, theirs: theirs))
    }
}

extension FlagObject {
    /// The record of a flag's parts as they were imported.
    fileprivate var importRecord: ImportRecord {
        guard case .object(let metadata)? = self["metadata"], case .string(let text)? = metadata[ImportOrigin.partsName]
        else { return ImportRecord() }
        return ImportRecord(text)
    }
}

extension [String] {
    /// The path as a JSON pointer (RFC 6901) without the first slash.
    fileprivate var pointer: String {
        map { $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined(separator: "/")
    }
}
