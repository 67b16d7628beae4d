internal import AlmanacForms
internal import AlmanacTargeting

/// A translator of LaunchDarkly's flags and segments in one environment.
struct LaunchDarklyReader {
    let files: LaunchDarklyFiles
    var attributes: LaunchDarklyAttributes
    private let keys: KeyTable
    /// The segments that were translated to shared rules, or cannot be.
    var segments: [String: SegmentState] = [:]
    /// The number of segments that are being translated, of which each refers to the next one.
    var segmentNesting = 0
    var sharedRules: [FlagObject.Member] = []
    /// The cases in which the flag or segment being translated differs.
    var differences: Set<String> = []

    enum SegmentState {
        case begun
        case translated(differences: Set<String>)
        case impossible(Obstacle)
    }

    static func project(_ files: [SourceFile], environment: String?) throws(ImportFailure) -> ImportedProject {
        var reader = LaunchDarklyReader(try LaunchDarklyFiles(files, environment: environment))
        var flags: [ImportedFlag] = []
        var report: [ReportLine] = []
        for (key, node) in reader.files.flags {
            do throws(Obstacle) {
                let flag = try reader.flag(key, node)
                flags.append(flag)
                let differences = reader.differences.sorted()
                report.append(
                    ReportLine(
                        source: key, key: flag.key, verdict: differences.isEmpty ? .exact : .differs(when: differences),
                        pointer: node.pointer))
            } catch {
                report.append(
                    ReportLine(source: key, key: nil, verdict: .cannot(error.reason), pointer: error.pointer))
            }
        }
        var project = ImportedProject(
            attributes: reader.attributes.result, reference: LaunchDarklyReference(reader.files))
        (project.flags, project.report, project.sharedRules) = (flags, report, reader.sharedRules)
        project.environment = reader.files.environment
        return project
    }

    private init(_ files: LaunchDarklyFiles) {
        self.files = files
        keys = KeyTable(files.flags.map(\.key))
        attributes = LaunchDarklyAttributes(
            files.flags.compactMap { files.settings(of: $0.node) } + files.segments.values)
    }

    private mutating func flag(_ key: String, _ node: SourceNode) throws(Obstacle) -> ImportedFlag {
        differences = []
        guard let settings = files.settings(of: node), let almanacKey = keys[key] else {
            throw node.obstacle("the flag has no environment \(files.environment)")
        }
        if try node.bool("archived") { throw node.obstacle("the flag is archived") }
        if node["migrationSettings"] != nil || node["purpose"]?.text == "migration" {
            throw node.obstacle("a migration flag is not a flag with variants")
        }
        let variants = try self.variants(of: node)
        let off = try variant(settings, "offVariation", variants)
        let serving = try serving(settings, variants, key, settings["salt"]?.text)
        guard let serving else { throw settings.obstacle("the flag has no fallthrough") }
        var branches: [(condition: FlagValue, result: FlagValue)] = []
        if let failed = try failedPrerequisite(settings, of: key) {
            branches.append((failed, off.map { .string($0) } ?? nil))
        }
        branches += try targets(settings, variants)
        for rule in try settings.list("rules") where try !rule.bool("disabled") {
            let condition = try self.condition(ofRule: rule)
            guard let result = try self.serving(rule, variants, key, settings["salt"]?.text, member: nil) else {
                throw rule.obstacle("the rule has no variation and no rollout")
            }
            branches.append((condition, result))
        }
        var members = [
            FlagObject.Member("state", try settings.bool("on") ? "ENABLED" : "DISABLED"),
            FlagObject.Member("variants", Logic.object(variants.map { FlagObject.Member($0.name, $0.value) })),
        ]
        // A null result of a rule would be the default variant.
        let hasPrerequisites = try !settings.list("prerequisites").isEmpty
        if case .string = serving, off != nil || !hasPrerequisites {
            members.append(FlagObject.Member("defaultVariant", serving))
        }
        if case .string = serving, branches.isEmpty {
        } else {
            members.append(
                FlagObject.Member("targeting", Logic.first(branches, otherwise: serving)))
        }
        let metadata = metadata(of: node, off: off)
        if !metadata.isEmpty { members.append(FlagObject.Member("metadata", Logic.object(metadata))) }
        guard let definition = FlagObject(members) else { throw node.obstacle("two members have one name") }
        let texts = [node["description"]?.text, node["name"]?.text].compactMap { $0 }.filter { !$0.isEmpty }
        return ImportedFlag(key: almanacKey, source: key, definition: definition, description: texts.first)
    }

    private func metadata(of node: SourceNode, off: String?) -> [FlagObject.Member] {
        var metadata: [FlagObject.Member] = []
        if let off { metadata.append(FlagObject.Member("almanac.off", .string(off))) }
        if let owner = node["_maintainer"]?["email"]?.text {
            metadata.append(FlagObject.Member("owner", .string(owner)))
        }
        let tags = (node["tags"]?.elements ?? []).compactMap(\.text)
        if !tags.isEmpty { metadata.append(FlagObject.Member("tags", .string(tags.joined(separator: ",")))) }
        return metadata
    }

    /// Returns the condition that a prerequisite is not met, or nil if there is none.
    private mutating func failedPrerequisite(_ settings: SourceNode, of key: String) throws(Obstacle) -> FlagValue? {
        var failures: [FlagValue] = []
        for prerequisite in try settings.list("prerequisites") {
            guard let other = try prerequisite.text("key"), let index = try prerequisite.integer("variation") else {
                throw prerequisite.obstacle("a prerequisite needs a key and a variation")
            }
            guard let node = files.flag(other), let otherKey = keys[other] else {
                throw prerequisite.obstacle("the prerequisite \(other) is not in the files")
            }
            let variants = try self.variants(of: node)
            // A variation that the prerequisite does not have is never met.
            guard variants.indices.contains(index) else {
                failures.append(true)
                continue
            }
            failures.append(
                Logic.operation(
                    "!==", [Logic.operation("almanac.flag", [.string(otherKey)]), .string(variants[index].name)]))
        }
        return failures.isEmpty ? Optional.none : Logic.any(failures)
    }

    /// Returns a branch for each list of keys. The list of a placeholder for users is in `targets`.
    private mutating func targets(
        _ settings: SourceNode, _ variants: [Variant]
    ) throws(Obstacle) -> [(condition: FlagValue, result: FlagValue)] {
        var users: [(variation: Int, target: SourceNode)] = []
        var isPlaced: [Bool] = []
        for target in try settings.list("targets") {
            users.append((try target.integer("variation") ?? -1, target))
            isPlaced.append(false)
        }
        let others = try settings.list("contextTargets")
        var targets: [SourceNode] = []
        for target in others {
            guard try kind(target) == LaunchDarklyAttribute.defaultKind else {
                targets.append(target)
                continue
            }
            let variation = try target.integer("variation")
            guard let index = users.firstIndex(where: { $0.variation == variation }) else { continue }
            if !isPlaced[index] { targets.append(users[index].target) }
            isPlaced[index] = true
        }
        let unplaced = users.indices.filter { !isPlaced[$0] }.map { users[$0].target }
        if !targets.isEmpty, !unplaced.isEmpty {
            differences.insert("several contexts of one caller are targeted by key, for different variations")
        }
        var branches: [(condition: FlagValue, result: FlagValue)] = []
        for target in unplaced + targets {
            let keys = try target.texts("values")
            guard let name = try variant(target, "variation", variants) else {
                throw target.obstacle("the target has no variation")
            }
            if !keys.isEmpty { branches.append((isKey(of: try kind(target), in: keys), .string(name))) }
        }
        return branches
    }

    /// Returns the kind of contexts that a target, clause or rollout is about.
    func kind(_ node: SourceNode, _ name: String = "contextKind") throws(Obstacle) -> String {
        guard let kind = try node.text(name), !kind.isEmpty else { return LaunchDarklyAttribute.defaultKind }
        return kind
    }

    /// Returns the condition that the key of a context is in a list.
    mutating func isKey(of kind: String, in keys: [String]) -> FlagValue {
        let key = attributes.variable(LaunchDarklyAttribute(kind: kind, name: "key"))
        return Logic.operation("in", [key, .array(FlagArray(keys.map { .string($0) }))])
    }
}
