// Almanac's operators with literal arguments, which are parsed once for all evaluations.
extension RuleCompiler {
    mutating func pattern(_ known: Operator, _ arguments: FlagArray) throws(FlagFault) -> Int32 {
        guard arguments.count == 2, case .string(let text) = arguments[1] else {
            throw fault("expected a text and a literal pattern")
        }
        path.append("1")
        defer { path.removeLast() }
        guard text.utf8.count <= RuleLimits.maxPatternBytes else {
            throw fault("the pattern has more than \(RuleLimits.maxPatternBytes) bytes")
        }
        guard patternStepsLeft > 0 else {
            throw fault("the patterns of all flags have more than \(RuleLimits.maxPatternSteps) steps together")
        }
        do throws(PatternParser.Fault) {
            let pattern = try PatternParser.pattern(text)
            patternStepsLeft -= pattern.instructions.count
            builder.patterns.append(pattern)
        } catch {
            switch error {
            case .tooLarge: throw fault("the pattern has more than \(Pattern.maxInstructions) steps")
            case .tooDeep: throw fault("the pattern is nested too deep")
            case .unclosed: throw fault("the pattern has an unclosed group or set, or ends too early")
            case .unexpected(let offset): throw fault("the pattern has unexpected syntax at character \(offset)")
            }
        }
        let detail = builder.patterns.count - 1
        path.removeLast()
        defer { path.append("1") }
        return builder.add(.pattern, [try at(0, arguments[0])], detail: detail, name: known.name)
    }

    mutating func network(_ known: Operator, _ arguments: FlagArray) throws(FlagFault) -> Int32 {
        guard arguments.count == 2 else { throw fault("expected an address, and a network or an array of networks") }
        path.append("1")
        var texts: FlagArray = [arguments[1]]
        if case .array(let elements) = arguments[1] { texts = elements }
        guard texts.count <= RuleLimits.maxNetworks else {
            throw fault("expected at most \(RuleLimits.maxNetworks) networks")
        }
        var networks: [Network] = []
        for text in texts {
            guard case .string(let text) = text, let network = Network(text) else {
                throw fault(
                    "\(text.json(upTo: 100)) is not a network; expected a literal such as 10.0.0.0/8 or "
                        + "2001:db8::/32, or an address")
            }
            networks.append(network)
        }
        path.removeLast()
        builder.networks.append(networks)
        return builder.add(
            .network, [try at(0, arguments[0])], detail: builder.networks.count - 1, name: known.name)
    }

    /// Compiles `almanac.date`. A literal that is not of RFC 3339, which older releases accepted, violates the schema.
    /// Comparisons with it read the values of callers as leniently as those releases did.
    mutating func date(_ known: Operator, _ arguments: FlagArray, _ isBare: Bool) throws(FlagFault) -> Int32 {
        var isLenient = false
        for index in [0, 2] where arguments.count == 3 {
            guard case .string = arguments[index], Instant(arguments[index], isLenient: false) == nil else { continue }
            path.append(index.description)
            defer { path.removeLast() }
            let expected = "expected a time of RFC 3339 with seconds and a zone, such as 2026-07-01T09:30:00Z"
            guard Instant(arguments[index], isLenient: true) != nil else { throw fault(expected) }
            isLenient = true
            note(expected)
        }
        let nodes = isBare ? [try node(arguments[0])] : try nodes(arguments)
        return builder.add(.date, nodes, detail: isLenient ? 1 : 0, name: known.name, isBare: isBare)
    }

    func checkNumericVersion(_ arguments: FlagArray) throws(FlagFault) {
        guard arguments.count == 3, SemanticVersion.Relation(orders: arguments[1]) != nil else {
            throw fault("expected one of = != < <= > >= between two versions")
        }
        for index in [0, 2] {
            switch arguments[index] {
            case .object: break
            case .string(let text) where NumericVersion(text) != nil: break
            default: throw fault("expected a version of up to five numbers, such as 2.10.0.4, or a rule")
            }
        }
    }
}
