internal import AlmanacTargeting

/// A reader of Flipt's files of one namespace, `features.yaml` or an export.
struct FliptReader {
    private var attributes = AttributeTable(unit: "entityId")
    private var segments: [String: SourceNode] = [:]
    /// The shared rules of segments that were translated, and the obstacles of the others.
    private var rules: [String: Result<SegmentRule, Obstacle>] = [:]
    /// The names of shared rules, in the order of their first use.
    private var names: [String] = []

    private struct SegmentRule {
        var rule: FlagValue
        /// The cases in which the rule differs.
        var clauses: [String] = []
    }

    static func project(_ files: [SourceFile], environment: String?) throws(ImportFailure) -> ImportedProject {
        var reader = FliptReader()
        let documents = try reader.documents(files, environment)
        var flags: [(key: String, node: SourceNode)] = []
        for document in documents.nodes {
            for segment in document["segments"]?.elements ?? [] {
                guard let key = segment["key"]?.text else { continue }
                if reader.segments.updateValue(segment, forKey: key) != nil {
                    reader.rules[key] = .failure(segment.obstacle("two segments have the key \"\(key)\""))
                }
            }
            for flag in document["flags"]?.elements ?? [] { flags.append((flag["key"]?.text ?? "", flag)) }
        }
        return reader.project(flags, environment: documents.namespace)
    }

    /// Returns the documents of a namespace: of the only one, or of the given one.
    private func documents(
        _ files: [SourceFile], _ wanted: String?
    ) throws(ImportFailure) -> (namespace: String, nodes: [SourceNode]) {
        var documents: [String: [SourceNode]] = [:]
        for file in files {
            // A YAML file can hold a document for each namespace.
            let contents = SourceNode(file.content).elements ?? [SourceNode(file.content)]
            guard !contents.isEmpty,
                contents.allSatisfy({ $0["flags"]?.elements != nil || $0["segments"]?.elements != nil })
            else { throw ImportFailure(file: file.name, "expected a file of Flipt with flags or segments") }
            for content in contents {
                if let version = content["version"]?.value, !Self.isKnown(version) {
                    throw ImportFailure(
                        file: file.name, at: content.pointer + "/version",
                        "expected version 1.0 to 1.5 of Flipt's files")
                }
                let namespace = content["namespace"]
                documents[namespace?.text ?? namespace?["key"]?.text ?? "default", default: []].append(content)
            }
        }
        let namespace = wanted ?? (documents.count == 1 ? documents.keys.first : nil) ?? "default"
        guard let nodes = documents[namespace], wanted != nil || documents.count == 1 else {
            throw ImportFailure(
                file: files.first?.name ?? "",
                "expected the name of a namespace (--from): \(documents.keys.sorted().joined(separator: ", "))")
        }
        return (namespace, nodes)
    }

    private static func isKnown(_ version: FlagValue) -> Bool {
        switch version {
        case .string(let text): ["1", "1.0", "1.1", "1.2", "1.3", "1.4", "1.5"].contains(text)
        case .number(let number): (1.0...1.5).contains(number.double)
        default: false
        }
    }

    private mutating func project(_ flags: [(key: String, node: SourceNode)], environment: String) -> ImportedProject {
        let counts = Dictionary(flags.map { ($0.key, 1) }, uniquingKeysWith: +)
        let keys = KeyTable(counts.keys)
        var (imported, report): ([ImportedFlag], [ReportLine]) = ([], [])
        for (source, node) in flags {
            do throws(Obstacle) {
                guard !source.isEmpty else { throw node.obstacle("a flag needs a key") }
                guard counts[source] == 1, let key = keys[source] else {
                    throw node.obstacle("several flags have the key \"\(source)\"")
                }
                var translator = try FliptFlag(source, node)
                imported.append(try translator.flag(as: key) { node throws(Obstacle) in try condition(node) })
                let clauses = translator.clauses
                let verdict = clauses.isEmpty ? ReportLine.Verdict.exact : .differs(when: clauses)
                report.append(ReportLine(source: source, key: key, verdict: verdict, pointer: node.pointer))
            } catch {
                report.append(
                    ReportLine(source: source, key: nil, verdict: .cannot(error.reason), pointer: error.pointer))
            }
        }
        var project = ImportedProject(
            attributes: attributes,
            reference: FliptReference(flags.map { $0.node.value }, segments: segments.mapValues { $0.value }))
        project.flags = imported
        project.report = report
        project.environment = environment
        project.sharedRules = names.compactMap { name in
            if case .success(let segment)? = rules[name] { FlagObject.Member(name, segment.rule) } else { nil }
        }
        return project
    }

    /// Returns the condition of a rule or a rollout: that all or any of its segments match.
    private mutating func condition(_ node: SourceNode) throws(Obstacle) -> (rule: FlagValue, clauses: [String]) {
        let segment = node["segment"] ?? node["segments"]
        var keys: [String] = []
        if let key = segment?.text ?? segment?["key"]?.text { keys = [key] }
        for element in segment?.elements ?? segment?["keys"]?.elements ?? [] {
            guard let key = element.text else { throw element.obstacle("expected the key of a segment") }
            keys.append(key)
        }
        guard let segment, !keys.isEmpty else { throw node.obstacle("a rule needs a segment") }
        var (conditions, clauses): ([FlagValue], [String]) = ([], [])
        for key in keys {
            let reference = try reference(to: key, in: segment)
            conditions.append(reference.rule)
            clauses += reference.clauses
        }
        switch segment["operator"]?.text ?? "OR_SEGMENT_OPERATOR" {
        case "OR_SEGMENT_OPERATOR": return (Logic.any(conditions), clauses)
        case "AND_SEGMENT_OPERATOR": return (Logic.all(conditions), clauses)
        case let name: throw segment.obstacle("the operator \"\(name)\" is unknown")
        }
    }

    private mutating func reference(to key: String, in node: SourceNode) throws(Obstacle) -> SegmentRule {
        if rules[key] == nil {
            do throws(Obstacle) {
                guard let segment = segments[key] else { throw node.obstacle("there is no segment \"\(key)\"") }
                rules[key] = .success(try Self.rule(segment, &attributes))
                names.append(key)
            } catch {
                rules[key] = .failure(error)
            }
        }
        guard case .success(let segment)? = rules[key] else {
            if case .failure(let obstacle)? = rules[key] { throw obstacle }
            return SegmentRule(rule: false)
        }
        // A rule that is a constant needs no shared rule.
        if case .bool = segment.rule { return segment }
        return SegmentRule(rule: Logic.shared(key), clauses: segment.clauses)
    }

    private static func rule(
        _ segment: SourceNode, _ attributes: inout AttributeTable
    ) throws(Obstacle) -> SegmentRule {
        var (rules, clauses): ([FlagValue], [String]) = ([], [])
        for node in try segment.list("constraints") {
            let constraint = try FliptConstraint(node, &attributes)
            rules.append(try constraint.rule())
            if let clause = constraint.clause, !clauses.contains(clause) { clauses.append(clause) }
        }
        switch segment["match_type"]?.text ?? segment["matchType"]?.text ?? "" {
        case "ALL_MATCH_TYPE": return SegmentRule(rule: Logic.all(rules), clauses: clauses)
        case "ANY_MATCH_TYPE":
            return SegmentRule(rule: rules.isEmpty ? true : Logic.any(rules), clauses: clauses)
        case let name: throw segment.obstacle("the match type \"\(name)\" is unknown")
        }
    }
}
