internal import AlmanacTargeting

/// What is sent of each flag and variant, written once for a set of flags.
///
/// An answer is a part of `bytes` that holds everything but the reason, and then the reason. All parts lie in one piece
/// of memory, since there may be tens of thousands.
final class FlagAnswers: Sendable {
    let set: FlagSet
    /// Who counts the evaluations.
    let uses: FlagUseTable
    /// The places of all flags, and of those that callers without a token may see.
    let allFlags: [Int]
    let publicFlags: [Int]
    /// The set's metadata as the members of a JSON object, each with a comma before it.
    let metadata: [UInt8]
    private let readsTime: Bool
    private let publicReadTime: Bool
    private let isPublic: [Bool]
    private let bytes: [UInt8]
    /// Where parts begin. Of each flag: its variants in their order, then the one for no value, then the one for a
    /// failure.
    private let starts: [Int]
    /// The first part of each flag.
    private let first: [Int]
    /// How many bytes an answer of each flag has at most, with a comma; and those of all.
    private let longest: [Int]
    private let whole: Int

    /// - Parameters:
    ///   - isPublic: for each flag, whether callers without a token may see it.
    ///   - uses: counts the evaluations; nil where nobody asks for that.
    init(_ set: FlagSet, isPublic: [Bool], uses: FlagUseTable? = nil) {
        self.set = set
        self.uses = uses ?? FlagUseTable(set)
        self.isPublic = isPublic
        allFlags = Array(set.flags.indices)
        publicFlags = isPublic.indices.filter { isPublic[$0] }
        readsTime = set.readsTime
        publicReadTime = publicFlags.contains { set.flags[$0].readsTime }
        metadata = Array(Self.members(of: set.metadata).map { "," + $0 }.joined().utf8)
        var (bytes, starts, first): ([UInt8], [Int], [Int]) = ([], [], [])
        func part(_ text: String) {
            starts.append(bytes.count)
            bytes += text.utf8
        }
        for flag in set.flags {
            first.append(starts.count)
            let key = "{\"key\":" + FlagValue.string(flag.key).json
            let end = ",\"metadata\":{" + Self.members(of: flag.metadata).joined(separator: ",") + "},\"reason\":\""
            for (variant, value) in zip(flag.variants, Self.values(of: flag)) {
                part(key + ",\"value\":" + value + ",\"variant\":" + FlagValue.string(variant.name).json + end)
            }
            part(key + ",\"variant\":\"\"" + end)
            part(key + ",\"errorCode\":\"")
        }
        starts.append(bytes.count)
        let end = [Self.matchEnd, Self.brokenEnd, Self.generalEnd].map(\.count).max() ?? 0
        longest = first.indices.map { flag in
            let parts = first[flag]..<(flag + 1 < first.count ? first[flag + 1] : starts.count - 1)
            return (parts.map { starts[$0 + 1] - starts[$0] }.max() ?? 0) + end + 1
        }
        whole = longest.reduce(0, +)
        (self.bytes, self.starts, self.first) = (bytes, starts, first)
    }

    /// The place of a flag that a caller may see.
    func index(of key: String, seesAll: Bool) -> Int? {
        guard let index = set.index(of: key), seesAll || isPublic[index] else { return nil }
        return index
    }

    /// Whether what a caller sees may change when only time passes.
    func readTime(seesAll: Bool) -> Bool { seesAll ? readsTime : publicReadTime }

    /// How many bytes the answers of flags have at most, with a comma behind each.
    func longest(of flags: [Int]) -> Int {
        flags.count == longest.count ? whole : flags.reduce(0) { $0 + longest[$1] }
    }

    /// How many bytes an answer has.
    func count(_ outcome: Evaluation.Outcome, of index: Int) -> Int {
        let part = self.part(outcome, of: index)
        return starts[part + 1] - starts[part] + Self.end(of: outcome).count
    }

    /// Writes what a flag is for somebody.
    func write(_ outcome: Evaluation.Outcome, of index: Int, to answer: inout [UInt8]) {
        let part = self.part(outcome, of: index)
        answer += bytes[starts[part]..<starts[part + 1]]
        answer += Self.end(of: outcome)
    }

    private func part(_ outcome: Evaluation.Outcome, of index: Int) -> Int {
        let variants = first[index]
        if let variant = outcome.variantIndex { return variants + variant }
        return (index + 1 < first.count ? first[index + 1] : starts.count - 1) - (outcome.error == nil ? 2 : 1)
    }

    private static func end(of outcome: Evaluation.Outcome) -> [UInt8] {
        switch outcome.reason {
        case .static: staticEnd
        case .default: defaultEnd
        case .targetingMatch: matchEnd
        case .disabled: disabledEnd
        case .error: if case .broken? = outcome.error { brokenEnd } else { generalEnd }
        }
    }

    private static let staticEnd = Array("STATIC\"}".utf8)
    private static let defaultEnd = Array("DEFAULT\"}".utf8)
    private static let matchEnd = Array("TARGETING_MATCH\"}".utf8)
    private static let disabledEnd = Array("DISABLED\"}".utf8)
    private static let brokenEnd = failureEnd("PARSE_ERROR", EvaluationFault.brokenDetails)
    private static let generalEnd = failureEnd("GENERAL", EvaluationFault.generalDetails)

    private static func failureEnd(_ code: String, _ details: String) -> [UInt8] {
        Array((code + "\",\"errorDetails\":" + FlagValue.string(details).json + "}").utf8)
    }

    /// The values of a flag's variants in JSON. If one number has a fraction, or an exponent, all get one: clients in
    /// typed languages tell the types of numbers apart by that.
    private static func values(of flag: Flag) -> [String] {
        let hasFraction = flag.variants.contains { variant in
            if case .number(let number) = variant.value { !number.isWrittenAsInteger } else { false }
        }
        return flag.variants.map { variant in
            guard hasFraction, case .number(let number) = variant.value, number.isWrittenAsInteger else {
                return variant.value.json
            }
            return number.text + ".0"
        }
    }

    /// What OFREP takes for metadata, without what is said to Almanac.
    private static func members(of metadata: FlagObject) -> [String] {
        metadata.members.compactMap { member in
            switch member.value {
            case .bool, .number, .string:
                member.name.utf8.starts(with: "almanac.".utf8)
                    ? nil : FlagValue.string(member.name).json + ":" + member.value.json
            default: nil
            }
        }
    }
}
