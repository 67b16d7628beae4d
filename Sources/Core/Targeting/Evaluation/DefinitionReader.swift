/// A reader of a set's definitions that collects their faults: violations of flagd's schema (flagd-schemas,
/// flags.json), and definitions that can't be evaluated.
struct DefinitionReader {
    var compiler: RuleCompiler
    var faults: [FlagFault] = []
    private var metadata = FlagObject()

    /// The largest integer up to which a double represents every integer: 2⁵³ − 1.
    private static let largestNumber = 9_007_199_254_740_991.0
    /// The metadata that names the variant of a flag while it is switched off.
    private static let offName = "almanac.off"
    /// The beginning of the names of metadata that records an import.
    private static let importName = "almanac.source"

    init(flags: FlagKeys, evaluators: FlagObject, metadata: FlagObject) {
        compiler = RuleCompiler(flags: flags, evaluators: evaluators)
        do throws(FlagFault) {
            self.metadata = try checked(metadata, ["metadata"])
            if metadata[Self.offName] != nil {
                note(["metadata", Self.offName], "\(Self.offName) belongs into the metadata of one flag")
            }
        } catch {
            faults.append(error)
        }
    }

    /// Returns the flag of a definition. A faulty definition also yields a flag, whose evaluation is an error.
    mutating func flag(_ key: String, _ definition: FlagValue) -> FlagDraft {
        let path = ["flags", key]
        guard case .object(let object) = definition, !key.utf8.isEmpty else {
            return broken(
                key, FlagFault(at: path, key.utf8.isEmpty ? "a key must not be empty" : "a flag must be an object"))
        }
        guard let isEnabled = DefinitionReader.state(object) else {
            return broken(key, FlagFault(at: path + ["state"], "a state must be \"ENABLED\" or \"DISABLED\""))
        }
        guard case .object(let named)? = object["variants"], !named.members.isEmpty else {
            return broken(
                key, FlagFault(at: path + ["variants"], "variants must be an object with at least one member"))
        }
        let start = faults.count
        checkVariants(named, path + ["variants"])
        var breaking: FlagFault?
        if let null = named.members.first(where: { if case .null = $0.value { true } else { false } }) {
            breaking = FlagFault(at: path + ["variants", null.name], "a variant must not be null")
        }
        let (chosen, badDefault) = defaultVariant(object["defaultVariant"] ?? .null, named, path)
        var own = FlagObject()
        do throws(FlagFault) {
            switch object["metadata"] {
            case nil: break
            case .object(let members)?: own = try checked(members, path + ["metadata"])
            default: throw FlagFault(at: path + ["metadata"], "metadata must be an object")
            }
        } catch {
            breaking = error
        }
        let off = offVariant(own, named, path)
        var rule: CompiledRule?
        do throws(FlagFault) {
            rule = try targeting(object["targeting"] ?? .null, path + ["targeting"])
            if let fault = rule?.schemaFault { faults.append(fault) }
        } catch {
            breaking = breaking ?? error
        }
        if let breaking { faults.insert(breaking, at: start) }
        return FlagDraft(
            key: key, isEnabled: isEnabled, named: named, defaultVariant: chosen, badDefault: badDefault,
            offVariant: off,
            ownMetadata: own, setMetadata: metadata, rule: rule, readsTime: rule?.readsTime ?? false,
            dependencies: rule?.dependencies.map { Int($0) } ?? [], fault: breaking)
    }

    /// Compiles the shared rules that no flag refers to, to find their faults.
    mutating func readShared(_ evaluators: FlagObject) {
        for (index, member) in evaluators.members.enumerated() where !DefinitionReader.isNoRule(member.value) {
            do throws(FlagFault) {
                if let fault = try compiler.compiled(sharedRule: index).schemaFault { faults.append(fault) }
            } catch {
                faults.append(error)
            }
        }
    }

    private mutating func broken(_ key: String, _ fault: FlagFault) -> FlagDraft {
        faults.append(fault)
        return FlagDraft(key: key, setMetadata: metadata, fault: fault)
    }

    private static func state(_ object: FlagObject) -> Bool? {
        guard case .string(let state)? = object["state"] else { return nil }
        if state.hasBytes(of: "ENABLED") { return true }
        return state.hasBytes(of: "DISABLED") ? false : nil
    }

    private mutating func targeting(_ value: FlagValue, _ path: [String]) throws(FlagFault) -> CompiledRule? {
        if DefinitionReader.isNoRule(value) { return nil }
        guard case .object = value else { throw FlagFault(at: path, "a rule must be an object with one operator") }
        return try compiler.rule(value, at: path)
    }

    private static func isNoRule(_ value: FlagValue) -> Bool {
        switch value {
        case .null: true
        case .object(let object): object.members.isEmpty
        default: false
        }
    }

    private mutating func checkVariants(_ variants: FlagObject, _ path: [String]) {
        let first = variants.members[0].value
        for member in variants.members {
            let path = path + [member.name]
            switch (first, member.value) {
            case (.bool, .bool), (.string, .string), (.object, .object): break
            case (.number, .number(let number)):
                if number.double.magnitude > DefinitionReader.largestNumber {
                    note(path, "the magnitude of a number must be at most 9007199254740991")
                }
            default: note(path, "the variants of a flag must all be booleans, texts, numbers or objects")
            }
            if member.name.utf8.isEmpty { note(path, "the name of a variant must not be empty") }
        }
    }

    /// Returns the index of the default variant, or the name of a missing one.
    private mutating func defaultVariant(
        _ value: FlagValue, _ variants: FlagObject, _ path: [String]
    ) -> (Int?, String?) {
        let name: String
        switch value {
        case .null: return (nil, nil)
        case .string(let text): name = text
        case .bool(let value):
            note(path + ["defaultVariant"], "the name of a variant must be a text")
            name = value ? "true" : "false"
        default:
            note(path + ["defaultVariant"], "the name of a variant must be a text")
            return (nil, value.text)
        }
        if let index = variants.index(of: name) { return (index, nil) }
        note(path + ["defaultVariant"], "there is no variant of this name")
        return (nil, name.utf8.isEmpty ? nil : name)
    }

    /// Returns the index of the variant that a switched-off flag yields, if any.
    private mutating func offVariant(_ metadata: FlagObject, _ variants: FlagObject, _ path: [String]) -> Int? {
        guard let value = metadata[Self.offName] else { return nil }
        guard case .string(let name) = value, let index = variants.index(of: name) else {
            note(path + ["metadata", Self.offName], "expected the name of a variant")
            return nil
        }
        if case .null = variants.members[index].value { return nil }
        return index
    }

    /// Returns the metadata, or throws a fault if it is too long, because each response repeats it. No response has the
    /// records of imports.
    private mutating func checked(_ metadata: FlagObject, _ path: [String]) throws(FlagFault) -> FlagObject {
        let maxBytes = RuleLimits.maxMetadataBytes
        let shown = FlagObject(metadata.members.filter { !$0.name.hasPrefix(bytes: Self.importName) }) ?? FlagObject()
        guard FlagValue.object(shown).json(upTo: maxBytes).utf8.count <= maxBytes else {
            throw FlagFault(at: path, "metadata must have at most \(maxBytes) bytes as JSON")
        }
        for member in metadata.members {
            switch member.value {
            case .bool, .number, .string: break
            default: note(path + [member.name], "a metadata value must be a text, a number or a boolean")
            }
        }
        return metadata
    }

    private mutating func note(_ path: [String], _ message: String) {
        faults.append(FlagFault(at: path, message, preventsEvaluation: false))
    }
}
