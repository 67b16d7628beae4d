internal import AlmanacTargeting

/// The keys and the names of shared rules that earlier imports gave to flags, entries and rules of the files.
struct KnownNames {
    private let origin: ImportOrigin
    /// The keys of flags and entries by their encoded keys in the files, because two keys with equal characters may
    /// have different bytes.
    private var keys: [String: ImportMerge.Leftover] = [:]
    /// The names of shared rules by their encoded names in the files.
    private var rules: [String: String] = [:]
    /// The names in the files by the names of shared rules here.
    private var ruleSources: [String: String] = [:]

    init(_ origin: ImportOrigin, _ present: PresentConfig, _ record: ImportRecord) {
        self.origin = origin
        for (source, name) in record.names(in: "entries") + record.names(in: "flags") {
            keys[Self.id(source)] = ImportMerge.Leftover(key: name, source: source)
        }
        for (source, name) in record.names(in: "$evaluators") { rules[Self.id(source)] = name }
        for (key, definition) in present.flags.sorted(by: { $0.key < $1.key }) {
            guard let source = origin.source(of: definition) else { continue }
            let id = Self.id(source)
            let isCopy = keys[id].flatMap { present.flags[$0.key] }.flatMap { origin.source(of: $0) }.map(Self.id) == id
            if !isCopy { keys[id] = ImportMerge.Leftover(key: key, source: source) }
        }
    }

    private static func id(_ name: String) -> String { ImportRecord.name(of: [name]) }

    /// Returns the name in the files of a shared rule of a renamed project.
    func sourceRule(of name: String) -> String { ruleSources[name] ?? name }

    /// Returns a project with these names. New flags and rules get names that nothing else has.
    mutating func renaming(_ project: ImportedProject, besides present: PresentConfig) -> ImportedProject {
        let sources = project.sources
        let newKeys = Self.names(
            project.flags.map { ($0.key, $0.source) } + project.entries.map { ($0.name, sources[$0.name] ?? $0.name) },
            keys.mapValues(\.key), isTaken: { present.flags[$0] != nil || present.entries[$0] != nil }, prefix: nil)
        let newRules = Self.names(
            project.sharedRules.map { ($0.name, $0.name) }, rules, isTaken: { present.evaluators[$0] != nil },
            prefix: String(origin.description.prefix { $0 != "/" }))
        for (source, name) in newRules { ruleSources[name] = source }
        return project.renaming(keys: newKeys, rules: newRules)
    }

    /// Returns a new name for each name.
    ///
    /// - Parameters:
    ///   - names: The names with their names in the files.
    ///   - known: The names of earlier imports.
    ///   - isTaken: Returns true for a name that is used here.
    ///   - prefix: The beginning of a name that replaces a taken one; nil if a new name may meet one that is used here,
    ///     but not one of an earlier import.
    private static func names(
        _ names: [(name: String, source: String)], _ known: [String: String], isTaken: (String) -> Bool,
        prefix: String?
    ) -> [String: String] {
        var result: [String: String] = [:]
        var reserved = Set(known.values)
        for (name, source) in names { if let old = known[id(source)] { result[name] = old } }
        let others = Set(names.map(\.name))
        for (name, source) in names where known[id(source)] == nil {
            var new = name
            if reserved.contains(name) || (prefix != nil && isTaken(name)) {
                let start = prefix.map { "\($0)-\(name)" } ?? String(name.prefix(120))
                new = prefix == nil ? "\(start)-2" : start
                var number = 2
                while reserved.contains(new) || others.contains(new) || isTaken(new) {
                    new = "\(start)-\(number)"
                    number += 1
                }
            }
            result[name] = new
            reserved.insert(new)
        }
        return result
    }

    /// Returns the flags and entries of earlier imports that the project lacks: `gone` from the files, or `stale`
    /// because it cannot be kept any more.
    func leftovers(
        _ project: ImportedProject, in present: PresentConfig
    ) -> (gone: [ImportMerge.Leftover], stale: [ImportMerge.Leftover]) {
        let kept = Set(project.flags.map { Self.id($0.source) } + project.sources.values.map(Self.id))
        let all = Set(project.report.map { Self.id($0.source) })
        let left = keys.filter { id, name in
            !kept.contains(id) && (present.flags[name.key] != nil || present.entries[name.key] != nil)
        }.sorted { $0.value.key < $1.value.key }
        return (
            left.filter { !all.contains($0.key) }.map(\.value), left.filter { all.contains($0.key) }.map(\.value)
        )
    }
}

extension ImportedProject {
    /// The keys in the files of flags and entries by their keys here.
    var sources: [String: String] {
        Dictionary(report.compactMap { line in line.key.map { ($0, line.source) } }, uniquingKeysWith: { $1 })
    }

    /// Returns the project with other keys of flags and entries, and other names of shared rules.
    fileprivate func renaming(keys: [String: String], rules: [String: String]) -> ImportedProject {
        let (keys, rules) = (keys.filter { $0.key != $0.value }, rules.filter { $0.key != $0.value })
        guard !keys.isEmpty || !rules.isEmpty else { return self }
        var project = self
        project.flags = flags.map { flag in
            let rule = flag.definition["targeting"]?.renaming(rules: rules, flags: keys)
            return ImportedFlag(
                key: keys[flag.key] ?? flag.key, source: flag.source,
                definition: flag.definition.setting("targeting", rule), description: flag.description)
        }
        project.sharedRules = sharedRules.map { rule in
            FlagObject.Member(rules[rule.name] ?? rule.name, rule.value.renaming(rules: rules, flags: keys))
        }
        project.entries = entries.map { FlagObject.Member(keys[$0.name] ?? $0.name, $0.value) }
        project.report = report.map { line in
            ReportLine(
                source: line.source, key: line.key.map { keys[$0] ?? $0 }, verdict: line.verdict, pointer: line.pointer)
        }
        return project
    }
}
