internal import AlmanacTargeting

/// The features and segments of Unleash's files, in the form in which its server sends them to clients.
struct UnleashDocument: Sendable {
    private(set) var features: [UnleashFeature] = []
    /// The segments with constraints, by their ids.
    private(set) var segments: [String: SourceNode] = [:]
    /// The names of the segments by their ids.
    private(set) var segmentNames: [String: String] = [:]
    /// The environment of the features, if the files name it.
    private(set) var environment: String?

    /// - Parameter wanted: The name of the environment, where the files have several.
    init(_ files: [SourceFile], environment wanted: String?) throws(ImportFailure) {
        var exports: [(file: SourceFile, root: SourceNode, environments: [String])] = []
        var clients: [SourceNode] = []
        for file in files {
            let root = SourceNode(file.content)
            guard root["features"]?.elements != nil || root["segments"]?.elements != nil else {
                throw ImportFailure(file: file.name, Self.expectation)
            }
            if let strategies = root["featureStrategies"] {
                exports.append((file, root, try Self.environments(of: file, root, strategies)))
            } else if let features = root["features"]?.elements {
                guard features.allSatisfy({ $0["name"]?.text != nil && $0["strategies"]?.elements != nil }) else {
                    throw ImportFailure(file: file.name, Self.expectation)
                }
                clients.append(root)
            }
            readSegments(root)
        }
        if exports.isEmpty {
            guard !clients.isEmpty else {
                throw ImportFailure(file: files.first?.name ?? "", "there are no features; " + Self.expectation)
            }
            for client in clients { readClient(client) }
        } else {
            let environment = try Self.environment(exports.map { ($0.file, $0.environments) }, wanted)
            self.environment = environment.isEmpty ? nil : environment
            for export in exports where export.environments.isEmpty || export.environments.contains(environment) {
                try readExport(export.root, environment, hasSeveral: export.environments.count > 1, export.file)
            }
        }
    }

    private static let expectation =
        "expected an export of Unleash's features (/api/admin/features-batch/export), /api/client/features, or "
        + "/api/admin/segments"

    private static func environments(
        of file: SourceFile, _ root: SourceNode, _ strategies: SourceNode
    ) throws(ImportFailure) -> [String] {
        guard root["features"]?.elements != nil, let strategies = strategies.elements else {
            throw ImportFailure(file: file.name, expectation)
        }
        if let old = strategies.first(where: { $0["strategyName"] != nil }) {
            throw ImportFailure(
                file: file.name, at: old.pointer,
                "the export of Unleash 4 (/api/admin/state/export) is not read; " + expectation)
        }
        let names = (root["featureEnvironments"]?.elements ?? []).compactMap { $0["environment"]?.text }
        return Set(names).sorted()
    }

    /// Returns the wanted environment, or the only one.
    private static func environment(
        _ exports: [(file: SourceFile, environments: [String])], _ wanted: String?
    ) throws(ImportFailure) -> String {
        let names = Set(exports.flatMap(\.environments)).sorted()
        if let wanted {
            guard names.isEmpty || names.contains(wanted) else {
                throw ImportFailure(
                    file: exports[0].file.name, at: "/featureEnvironments",
                    "there is no environment \(wanted); expected one of \(names.joined(separator: ", "))")
            }
            return wanted
        }
        guard names.count <= 1 else {
            throw ImportFailure(
                file: exports[0].file.name, at: "/featureEnvironments",
                "the files have the environments \(names.joined(separator: ", ")); name one of them")
        }
        return names.first ?? ""
    }

    private mutating func readSegments(_ root: SourceNode) {
        for segment in root["segments"]?.elements ?? [] {
            guard let id = segment["id"]?.unleashText else { continue }
            if let name = segment["name"]?.text { segmentNames[id] = name }
            if segment["constraints"]?.elements != nil { segments[id] = segment }
        }
    }

    /// Reads the answer of `/api/client/features`.
    private mutating func readClient(_ root: SourceNode) {
        for node in root["features"]?.elements ?? [] {
            var feature = UnleashFeature(node)
            feature.isEnabled = node["enabled"]?.bool ?? false
            feature.strategies = node["strategies"]?.elements ?? []
            feature.variants = node["variants"]
            feature.dependencies = node["dependencies"]?.elements ?? []
            features.append(feature)
        }
    }

    /// Reads an export. The server sends no disabled strategies to clients, and sorts the strategies.
    private mutating func readExport(
        _ root: SourceNode, _ environment: String, hasSeveral: Bool, _ file: SourceFile
    ) throws(ImportFailure) {
        var strategies: [String: [SourceNode]] = [:]
        for node in root["featureStrategies"]?.elements ?? [] {
            guard let name = node["featureName"]?.text else { continue }
            let own = node["environment"]?.text
            guard own != nil || !hasSeveral else {
                throw ImportFailure(file: file.name, at: node.pointer, "expected the environment of the strategy")
            }
            if own == nil || own == environment { strategies[name, default: []].append(node) }
        }
        var states: [String: SourceNode] = [:]
        for node in root["featureEnvironments"]?.elements ?? [] {
            guard let name = (node["featureName"] ?? node["name"])?.text else { continue }
            if node["environment"]?.text ?? environment == environment { states[name] = node }
        }
        let dependencies = Self.grouped(root["dependencies"], by: "feature")
        let tags = Self.grouped(root["featureTags"], by: "featureName")
        let plans = Self.grouped(root["releasePlans"], by: "featureName")
        for node in root["features"]?.elements ?? [] {
            var feature = UnleashFeature(node)
            let all = strategies[feature.name] ?? []
            feature.strategies = Self.sorted(all.filter { $0["disabled"]?.bool != true })
            feature.isEnabled = states[feature.name]?["enabled"]?.bool ?? false
            feature.variants = states[feature.name]?["variants"] ?? node["variants"]
            feature.dependencies = (dependencies[feature.name] ?? []).flatMap { $0["dependencies"]?.elements ?? [] }
            feature.tags = (tags[feature.name] ?? []).compactMap { Self.tag($0) }
            if node["archived"]?.bool == true {
                feature.obstacle = node.obstacle("the feature is archived")
            } else if let plan = plans[feature.name]?.first ?? all.first(where: { $0["milestoneId"] != nil }) {
                feature.obstacle = plan.obstacle("the feature follows a release plan")
            } else if feature.isEnabled, feature.strategies.isEmpty, let disabled = all.first {
                feature.obstacle = disabled.obstacle("all strategies are disabled")
            }
            features.append(feature)
        }
    }

    private static func grouped(_ list: SourceNode?, by member: String) -> [String: [SourceNode]] {
        var groups: [String: [SourceNode]] = [:]
        for node in list?.elements ?? [] {
            if let name = node[member]?.text { groups[name, default: []].append(node) }
        }
        return groups
    }

    /// Returns strategies in the order of the server, if each has a number in this order.
    private static func sorted(_ strategies: [SourceNode]) -> [SourceNode] {
        let orders = strategies.map { $0["sortOrder"]?.integer }
        let numbers = orders.compactMap { $0 }
        guard numbers.count == strategies.count else { return strategies }
        return zip(numbers, strategies).enumerated().sorted {
            ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
        }.map(\.element.1)
    }

    private static func tag(_ node: SourceNode) -> String? {
        guard let value = (node["tagValue"] ?? node["value"])?.text else { return nil }
        let type = (node["tagType"] ?? node["type"])?.text ?? "simple"
        // The metadata of a flag separates tags by commas.
        let tag = (type == "simple" ? value : type + ":" + value).split(separator: ",").joined(separator: " ")
        return tag.isEmpty ? nil : tag
    }
}

/// A feature of Unleash in one environment.
struct UnleashFeature: Sendable {
    let node: SourceNode
    let name: String
    var isEnabled = false
    /// The strategies that the server sends to clients.
    var strategies: [SourceNode] = []
    /// The array of variants that apply where the strategy has none.
    var variants: SourceNode?
    var dependencies: [SourceNode] = []
    var tags: [String] = []
    /// A reason why the feature cannot be kept.
    var obstacle: Obstacle?

    init(_ node: SourceNode) {
        self.node = node
        name = node["name"]?.text ?? ""
    }

    /// True if the feature can be on without a variant.
    var mayLackVariant: Bool {
        guard variants?.elements?.isEmpty != false else { return false }
        return strategies.isEmpty || strategies.contains { $0["variants"]?.elements?.isEmpty != false }
    }

    /// True if a client gets a variant for some caller.
    var hasVariants: Bool {
        variants?.elements?.isEmpty == false || strategies.contains { $0["variants"]?.elements?.isEmpty == false }
    }
}

extension SourceNode {
    /// The text of a parameter, as the server sends it to clients: a number is its digits.
    var unleashText: String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.text
        default: nil
        }
    }
}
