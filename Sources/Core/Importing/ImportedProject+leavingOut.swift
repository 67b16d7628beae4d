internal import AlmanacTargeting

/// The limits of an environment on what an import writes, in bytes of JSON.
public struct ImportLimits: Sendable {
    /// The limit on the value of an entry or a flag.
    public var valueBytes: Int
    /// The limit on the value of `_flags`, which holds all shared rules.
    public var settingsBytes: Int

    public init(valueBytes: Int = 256 << 10, settingsBytes: Int = 3 << 20) {
        (self.valueBytes, self.settingsBytes) = (valueBytes, settingsBytes)
    }
}

extension ImportedProject {
    /// Returns the project without flags whose translation has faults, flags that share a key with another one, and
    /// shared rules that no flag refers to. The report has the reasons.
    func withoutFaults() -> ImportedProject {
        var project = self
        project.leaveOutRepeatedKeys()
        project.leaveOutDependents()
        while true {
            var (flags, rules): ([String: String], [String: String]) = ([:], [:])
            for fault in project.flagSet.faults {
                let path = fault.path.split(separator: "/", maxSplits: 2).map(String.init)
                guard path.count > 1 else { continue }
                let reason = "its translation has a fault at /\(path.count > 2 ? path[2] : ""): \(fault.message)"
                if path[0] == "flags" { flags[path[1]] = flags[path[1]] ?? reason }
                if path[0] == "$evaluators" {
                    let name = path[1].replacing("~1", with: "/").replacing("~0", with: "~")
                    rules[name] = rules[name] ?? reason
                }
            }
            if flags.isEmpty, rules.isEmpty { break }
            project.leaveOut(flags: flags, rules: rules)
        }
        project.leaveOutUnusedRules()
        return project
    }

    /// Returns the project without flags, shared rules and entries that are too large for an environment. Of shared
    /// rules that are too large together, the largest ones are left out.
    public func limited(to limits: ImportLimits) -> ImportedProject {
        var project = self
        var keys: [String: String] = [:]
        for flag in flags {
            let bytes = FlagValue.object(flag.recorded(origin)).json.utf8.count
            if bytes > limits.valueBytes { keys[flag.key] = Self.tooLarge(bytes, limits.valueBytes) }
        }
        for entry in entries {
            let bytes = entry.value.json.utf8.count
            if bytes > limits.valueBytes { keys[entry.name] = Self.tooLarge(bytes, limits.valueBytes) }
        }
        let sizes = sharedRules.map { ($0.name, $0.value.json.utf8.count + $0.name.utf8.count + 4) }
        // The record of the import has a digest for each flag and entry.
        let names = flags.map { $0.key.utf8.count + $0.source.utf8.count } + entries.map { 2 * $0.name.utf8.count }
        var total = sizes.reduce(0) { $0 + $1.1 } + names.reduce(0) { $0 + $1 + 24 }
        var rules: [String: String] = [:]
        for (name, bytes) in sizes.sorted(by: { ($1.1, $0.0) < ($0.1, $1.0) }) where total > limits.settingsBytes {
            rules[name] =
                "all shared rules have \(total) bytes, of which this one has \(bytes); the limit is "
                + "\(limits.settingsBytes) (flag_set_bytes in the environments file)"
            total -= bytes
        }
        guard !keys.isEmpty || !rules.isEmpty else { return self }
        project.leaveOut(flags: keys, rules: rules)
        project.leaveOutUnusedRules()
        return project
    }

    private static func tooLarge(_ bytes: Int, _ limit: Int) -> String {
        "it would have \(bytes) bytes; the limit of a value is \(limit) (value_bytes in the environments file)"
    }

    private mutating func leaveOutRepeatedKeys() {
        var seen: Set<String> = []
        let keys = (flags.map(\.key) + entries.map(\.name)).filter { !seen.insert($0).inserted }
        leaveOut(
            flags: Dictionary(keys.map { ($0, "several flags of the files have the key \($0)") }) { first, _ in first },
            rules: [:])
    }

    /// Leaves flags out that refer to flags and shared rules that the project lacks.
    private mutating func leaveOutDependents() {
        let keys = Set(flags.map(\.key))
        var missing: [String: String] = [:]
        for flag in flags {
            let names = flag.references.flags.subtracting(keys)
            if let name = names.min() { missing[flag.key] = "it depends on \(name), which cannot be kept" }
        }
        var rules: [String: String] = [:]
        for rule in sharedRules {
            let names = RuleReferences(of: rule.value).flags.subtracting(keys)
            if let name = names.min() { rules[rule.name] = "it depends on \(name), which cannot be kept" }
        }
        leaveOut(flags: missing, rules: rules)
    }

    /// Leaves flags, entries and shared rules out, and what refers to them directly or through others.
    ///
    /// - Parameters:
    ///   - flags: The reasons by the keys of flags and entries.
    ///   - rules: The reasons by the names of shared rules.
    mutating func leaveOut(flags first: [String: String], rules firstRules: [String: String]) {
        guard !first.isEmpty || !firstRules.isEmpty else { return }
        let graph = Referrers(self)
        var (reasons, ruleReasons) = (first, firstRules)
        var pending = first.keys.sorted().map { (isRule: false, name: $0) }
        pending += firstRules.keys.sorted().map { (isRule: true, name: $0) }
        while let (isRule, name) = pending.popLast() {
            let reason =
                isRule
                ? "the shared rule \(name) cannot be kept: \(ruleReasons[name] ?? "")"
                : "it depends on \(name), which cannot be kept"
            let referrers = isRule ? graph.ofRules[name] : graph.ofFlags[name]
            for key in referrers?.flags ?? [] where reasons[key] == nil {
                reasons[key] = reason
                pending.append((false, key))
            }
            for other in referrers?.rules ?? [] where ruleReasons[other] == nil {
                ruleReasons[other] = isRule ? ruleReasons[name] : reason
                pending.append((true, other))
            }
        }
        flags.removeAll { reasons[$0.key] != nil }
        entries.removeAll { reasons[$0.name] != nil }
        sharedRules.removeAll { ruleReasons[$0.name] != nil }
        report.refuse(reasons)
    }

    private mutating func leaveOutUnusedRules() {
        let used = rulesInUse
        sharedRules.removeAll { !used.contains($0.name) }
    }

    /// The names of the shared rules that flags refer to directly or through others.
    private var rulesInUse: Set<String> {
        var pending = flags.flatMap { $0.references.rules }
        let references = Dictionary(
            sharedRules.map { ($0.name, RuleReferences(of: $0.value).rules) }, uniquingKeysWith: { first, _ in first })
        var used: Set<String> = []
        while let name = pending.popLast() {
            if used.insert(name).inserted { pending += references[name] ?? [] }
        }
        return used
    }
}

/// The flags and shared rules that refer to each flag and shared rule.
private struct Referrers {
    typealias Names = (flags: [String], rules: [String])
    private(set) var ofFlags: [String: Names] = [:]
    private(set) var ofRules: [String: Names] = [:]

    init(_ project: ImportedProject) {
        for flag in project.flags {
            let references = flag.references
            for name in references.flags { ofFlags[name, default: ([], [])].flags.append(flag.key) }
            for name in references.rules { ofRules[name, default: ([], [])].flags.append(flag.key) }
        }
        for rule in project.sharedRules {
            let references = RuleReferences(of: rule.value)
            for name in references.flags { ofFlags[name, default: ([], [])].rules.append(rule.name) }
            for name in references.rules { ofRules[name, default: ([], [])].rules.append(rule.name) }
        }
    }
}

extension [ReportLine] {
    /// Turns the lines of keys into ones that cannot be kept, with reasons.
    fileprivate mutating func refuse(_ reasons: [String: String]) {
        for index in indices {
            guard let key = self[index].key, let reason = reasons[key] else { continue }
            let line = self[index]
            self[index] = ReportLine(source: line.source, key: nil, verdict: .cannot(reason), pointer: line.pointer)
        }
    }
}
