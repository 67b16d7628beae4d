internal import AlmanacTargeting

/// A reader of Unleash's files.
struct UnleashReader {
    private let document: UnleashDocument
    private let keys: KeyTable
    private var rules: UnleashRules
    /// The translated features by their names, before dependencies.
    private var translations: [String: UnleashTranslation] = [:]

    /// Reads an export of features, the answer of `/api/client/features`, and segments.
    static func project(
        _ files: [SourceFile], environment: String?
    ) throws(ImportFailure) -> ImportedProject {
        var reader = UnleashReader(try UnleashDocument(files, environment: environment))
        return reader.project()
    }

    private init(_ document: UnleashDocument) {
        self.document = document
        keys = KeyTable(Set(document.features.map(\.name)))
        rules = UnleashRules(document)
    }

    private mutating func project() -> ImportedProject {
        var results: [Result<UnleashTranslation, Obstacle>] = []
        for feature in document.features {
            results.append(result(feature))
            if case .success(let translation)? = results.last { translations[feature.name] = translation }
        }
        var flags: [ImportedFlag] = []
        var report: [ReportLine] = []
        for (feature, result) in zip(document.features, results) {
            do throws(Obstacle) {
                var translation = try result.get()
                translation.dependencies = try dependencies(of: feature, &translation.differences)
                let key = keys[feature.name] ?? feature.name
                flags.append(
                    ImportedFlag(
                        key: key, source: feature.name, definition: translation.definition,
                        description: feature.node["description"]?.text))
                let differences = translation.differences
                report.append(
                    ReportLine(
                        source: feature.name, key: key,
                        verdict: differences.isEmpty ? .exact : .differs(when: differences),
                        pointer: feature.node.pointer))
            } catch {
                report.append(
                    ReportLine(
                        source: feature.name, key: nil, verdict: .cannot(error.reason), pointer: error.pointer))
            }
        }
        var project = ImportedProject(
            attributes: rules.attributes, reference: UnleashReference(document))
        project.environment = document.environment
        (project.flags, project.report, project.sharedRules) = (flags, report, rules.sharedRules)
        return project
    }

    private mutating func result(_ feature: UnleashFeature) -> Result<UnleashTranslation, Obstacle> {
        if translations[feature.name] != nil {
            return .failure(feature.node.obstacle("the files have two features of this name"))
        }
        do throws(Obstacle) { return .success(try UnleashTranslation(feature, &rules)) } catch {
            return .failure(error)
        }
    }

    /// Returns the rules that the features on which one depends are as they must be.
    private func dependencies(
        of feature: UnleashFeature, _ differences: inout [String]
    ) throws(Obstacle) -> [FlagValue] {
        var conditions: [FlagValue] = []
        for node in feature.dependencies {
            guard let name = node["feature"]?.text else {
                throw node.obstacle("expected the name of a feature")
            }
            guard let parent = translations[name], let key = keys[name] else {
                throw node.obstacle("depends on \(name), which the files do not have or which cannot be kept")
            }
            guard parent.feature.dependencies.isEmpty else {
                throw node.obstacle("depends on \(name), which has a dependency of its own")
            }
            guard !parent.hashesItsName else {
                throw node.obstacle(
                    "depends on \(name), whose rollout has no groupId, which clients of Unleash read differently")
            }
            for difference in parent.differences where !differences.contains(difference) {
                differences.append(difference)
            }
            let isOn = node["enabled"]?.bool ?? true
            var wanted = parent.namesOn
            if let expected = node["variants"]?.elements, !expected.isEmpty {
                let texts = expected.compactMap(\.text)
                guard isOn, texts.count == expected.count else {
                    throw node.obstacle("expected the names of variants of a feature that is on")
                }
                guard !parent.feature.mayLackVariant || texts.contains("disabled") else {
                    throw node.obstacle(
                        "depends on variants of \(name), which may be on without a variant: clients of Unleash differ")
                }
                wanted = parent.names(of: texts)
            }
            let condition = Logic.operation(
                "in", [Logic.operation("almanac.flag", [.string(key)]), .array(FlagArray(wanted.map { .string($0) }))])
            conditions.append(isOn ? condition : Logic.not(condition))
        }
        return conditions
    }
}
