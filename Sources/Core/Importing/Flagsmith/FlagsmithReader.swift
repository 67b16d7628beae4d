internal import AlmanacTargeting

/// A translation of Flagsmith's environment documents to flags.
///
/// A feature becomes a flag whose variants are objects of `enabled` and `value`, because Flagsmith gives both.
struct FlagsmithReader {
    private let document: FlagsmithDocument
    private var segments: FlagsmithSegments
    /// The states of features for segments, by the feature's name and in the order of the segments.
    private var overrides: [String: [(segment: String, node: SourceNode)]] = [:]
    /// The states of features for identities, by the feature's name.
    private var identities: [String: [(identifier: SourceNode?, node: SourceNode)]] = [:]

    /// - Parameter environment: The name or the key of the environment; nil if the files have one environment.
    init(_ files: [SourceFile], environment: String?) throws(ImportFailure) {
        document = try FlagsmithDocument(files, environment: environment)
        segments = FlagsmithSegments(document)
        for (id, node) in document.segments {
            for state in node["feature_states"]?.elements ?? [] {
                if let name = state["feature"]?["name"]?.text { overrides[name, default: []].append((id, state)) }
            }
        }
        for identity in document.identities {
            for state in identity["identity_features"]?.elements ?? [] {
                guard let name = state["feature"]?["name"]?.text else { continue }
                identities[name, default: []].append((identity["identifier"], state))
            }
        }
    }

    /// Returns the flags of the environment, and a report about each feature.
    mutating func project() -> ImportedProject {
        let keys = KeyTable(document.features.map { $0.name })
        var flags: [ImportedFlag] = []
        var report: [ReportLine] = []
        for (name, node) in document.features {
            let key = keys[name] ?? name
            do throws(Obstacle) {
                let (definition, differences) = try flag(name, node)
                flags.append(ImportedFlag(key: key, source: name, definition: definition))
                let verdict = differences.isEmpty ? ReportLine.Verdict.exact : .differs(when: differences)
                report.append(ReportLine(source: name, key: key, verdict: verdict, pointer: node.pointer))
            } catch {
                report.append(
                    ReportLine(source: name, key: nil, verdict: .cannot(error.reason), pointer: error.pointer))
            }
        }
        report += document.unnamed.map {
            ReportLine(source: "", key: nil, verdict: .cannot($0.reason), pointer: $0.pointer)
        }
        var project = ImportedProject(
            attributes: segments.attributes, reference: FlagsmithReference(pages: document.pages))
        project.environment = document.name.isEmpty ? nil : document.name
        (project.flags, project.report, project.sharedRules) = (flags, report, segments.sharedRules)
        return project
    }

    /// A rule that serves a state, if its condition is true.
    private struct Branch {
        let condition: FlagValue
        let state: FlagsmithState
        let priority: Double
        /// The name of the state's variant.
        let name: String
    }

    private mutating func flag(
        _ name: String, _ node: SourceNode
    ) throws(Obstacle) -> (definition: FlagObject, differences: [String]) {
        let state = try FlagsmithState(node)
        var differences: [String] = []
        var branches = try branches(ofIdentities: name, &differences)
        var hasSplit = !state.options.isEmpty
        for (id, node) in overrides[name] ?? [] {
            let segment = try segments.segment(id)
            let override = try FlagsmithState(node)
            hasSplit = hasSplit || segment.hasSplit || !override.options.isEmpty
            differences += segment.differences.filter { !differences.contains($0) }
            branches.append(
                Branch(
                    condition: segment.rule, state: override, priority: try Self.priority(of: node),
                    name: segments.title(of: id)))
        }
        // A lower number comes first; of equal ones, the first in the file.
        branches = branches.enumerated().sorted {
            ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset)
        }.map { $0.element }
        let states = [state] + branches.map { $0.state }
        if hasSplit, !document.usesCompositeKeys {
            differences.append(
                "the app asks Flagsmith's API, which places callers by the numbers of its database in this environment")
        }
        if document.hidesDisabledFlags, states.contains(where: { !$0.isEnabled }) {
            differences.append("the app asks Flagsmith's API, which leaves out disabled features in this environment")
        }
        if !document.listsIdentities {
            differences.append("the caller has a value of its own, which the file leaves out in this environment")
        }
        return (definition(state, branches), differences)
    }

    /// Returns a branch for each state that identities have.
    private func branches(ofIdentities name: String, _ differences: inout [String]) throws(Obstacle) -> [Branch] {
        var groups: [(state: FlagsmithState, identifiers: [FlagValue])] = []
        var places: [[UInt8]: Int] = [:]
        var seen: Set<[UInt8]> = []
        for (identity, node) in identities[name] ?? [] {
            guard let identifier = identity?.text else {
                throw (identity ?? node).obstacle("\"identifier\" must be a text")
            }
            guard seen.insert(Array(identifier.utf8)).inserted else { continue }
            if FlagsmithNumber.isNumber(identifier), !FlagsmithNumber.isShortest(identifier) {
                let difference =
                    "an app that evaluates itself has an identifier with a value of its own that looks like a number, "
                    + "such as \"\(identifier)\""
                if differences.isEmpty { differences.append(difference) }
            }
            let state = try FlagsmithState(node, hasOptions: false)
            let value = Array(Self.value(state.isEnabled, state.value).json.utf8)
            if let place = places[value] {
                groups[place].identifiers.append(.string(identifier))
            } else {
                places[value] = groups.count
                groups.append((state, [.string(identifier)]))
            }
        }
        return groups.map { group in
            let condition = Logic.operation(
                "in", [FlagsmithSegments.identifier, .array(FlagArray(group.identifiers))])
            return Branch(condition: condition, state: group.state, priority: -.infinity, name: "identity")
        }
    }

    private static func priority(of node: SourceNode) throws(Obstacle) -> Double {
        guard let segment = node["feature_segment"], segment.object?.members.isEmpty != true else { return .infinity }
        guard let priority = segment["priority"]?.number else {
            throw segment.obstacle("\"priority\" must be a number")
        }
        return priority.double
    }

    private static func value(_ isEnabled: Bool, _ value: FlagValue) -> FlagValue {
        Logic.object([FlagObject.Member("enabled", .bool(isEnabled)), FlagObject.Member("value", value)])
    }

    private func definition(_ state: FlagsmithState, _ branches: [Branch]) -> FlagObject {
        var variants = VariantTable()
        let control = variants.add(
            Self.value(state.isEnabled, state.value), preferred: state.options.isEmpty ? "default" : "control")
        let isConstant = state.options.isEmpty && branches.isEmpty
        var members = [FlagObject.Member("state", isConstant && !state.isEnabled ? "DISABLED" : "ENABLED")]
        let otherwise = served(state, control, &variants)
        let results = branches.map { branch -> (condition: FlagValue, result: FlagValue) in
            let name = variants.add(Self.value(branch.state.isEnabled, branch.state.value), preferred: branch.name)
            return (branch.condition, served(branch.state, name, &variants))
        }
        let off = variants.add(Self.value(false, state.value), preferred: "off")
        members.append(FlagObject.Member("variants", variants.object))
        members.append(FlagObject.Member("defaultVariant", .string(control)))
        if !isConstant {
            // Flagsmith gives the environment's state without options to a caller without an identity.
            let anonymous = (
                condition: Logic.not(Logic.isText(FlagsmithSegments.identifier)), result: FlagValue.string(control)
            )
            members.append(
                FlagObject.Member("targeting", Logic.first([anonymous] + results, otherwise: otherwise)))
        }
        members.append(FlagObject.Member("metadata", Logic.object([FlagObject.Member("almanac.off", .string(off))])))
        return FlagObject(members) ?? FlagObject()
    }

    /// Returns a state's variant, or the split into its options. The rest of the callers gets the state's own value.
    private func served(_ state: FlagsmithState, _ control: String, _ variants: inout VariantTable) -> FlagValue {
        var ranges: [(from: Int, to: Int, result: FlagValue)] = []
        var start = 0.0
        for option in state.options {
            let limit = option.weight + start
            let (from, to) = (
                FlagsmithOperation.bucket { [start] in $0 >= start }, FlagsmithOperation.bucket { $0 >= limit }
            )
            let name = variants.add(Self.value(state.isEnabled, option.value), preferred: option.name)
            if from < to { ranges.append((from, to, .string(name))) }
            start = limit
        }
        guard let end = ranges.last?.to else { return .string(control) }
        if end < 9998 { ranges.append((end, 9998, .string(control))) }
        return FlagsmithOperation.split(key: state.key, unit: segments.identityKey, ranges)
    }
}
