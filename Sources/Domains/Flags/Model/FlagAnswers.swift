internal import AlmanacTargeting

/// The answers for each flag and variant, encoded once for a set of flags.
///
/// An answer consists of parts of `bytes` for the variant, the flag's metadata and the set's metadata, and then the
/// reason. All parts share one allocation, because there may be tens of thousands.
final class FlagAnswers: Sendable {
    let set: FlagSet
    /// The counter of evaluations.
    let uses: FlagUseTable
    /// The indices of all flags, and of flags that callers without a token may see.
    let allFlags: [Int]
    let publicFlags: [Int]
    /// The set's metadata as members of a JSON object, each after a comma.
    let metadata: [UInt8]
    private let readsTime: Bool
    private let publicReadTime: Bool
    private let isPublic: [Bool]
    let bytes: [UInt8]
    /// The start of each part. Three parts come first: the set's metadata for a flag with own metadata, for a flag
    /// without, and omitted for a flag whose metadata includes the set's. Then each flag has its variants in order, the
    /// answer without a value, the answer for a failure, and the flag's metadata.
    private let partStarts: [Int]
    /// The first part of each flag, and at the end the number of parts.
    private let firstPart: [Int]
    /// The part with the set's metadata for each flag.
    private let sharedPart: [UInt8]
    /// The maximum length of each flag's answer with a comma, in bytes, and the sum for all flags.
    private let maxAnswerBytes: [Int]
    private let totalMaxAnswerBytes: Int

    /// - Parameters:
    ///   - isPublic: True for each flag that callers without a token may see.
    ///   - uses: Counts the evaluations; nil if no counts are needed.
    init(_ set: FlagSet, isPublic: [Bool], uses: FlagUseTable? = nil) {
        self.set = set
        self.uses = uses ?? FlagUseTable(set)
        self.isPublic = isPublic
        allFlags = Array(set.flags.indices)
        publicFlags = isPublic.indices.filter { isPublic[$0] }
        readsTime = set.readsTime
        publicReadTime = publicFlags.contains { set.flags[$0].readsTime }
        metadata = Array(Self.members(of: set.metadata).map { "," + $0 }.joined().utf8)
        var (bytes, starts, first, shared): ([UInt8], [Int], [Int], [UInt8]) = ([], [], [], [])
        func part(_ text: String) {
            starts.append(bytes.count)
            bytes += text.utf8
        }
        let setMembers = Self.members(of: set.metadata)
        let end = "},\"reason\":\""
        for start in [",", ""] { part(setMembers.isEmpty ? end : start + setMembers.joined(separator: ",") + end) }
        part(end)
        for flag in set.flags {
            first.append(starts.count)
            let key = "{\"key\":" + FlagValue.string(flag.key).json
            for (variant, value) in zip(flag.variants, Self.values(of: flag)) {
                part(key + ",\"value\":" + value + ",\"variant\":" + FlagValue.string(variant.name).json)
            }
            // OpenFeature's Python client fails without the member.
            part(key + ",\"variant\":\"\"")
            part(key + ",\"errorCode\":\"")
            let isOverridden = flag.ownMetadata.members.contains { set.metadata[$0.name] != nil }
            let own = Self.members(of: isOverridden ? flag.metadata : flag.ownMetadata)
            part(",\"metadata\":{" + own.joined(separator: ","))
            shared.append(isOverridden ? 2 : own.isEmpty ? 1 : 0)
        }
        first.append(starts.count)
        starts.append(bytes.count)
        let maxReasonBytes = [Self.matchEnd, Self.brokenEnd, Self.generalEnd].map(\.count).max() ?? 0
        maxAnswerBytes = first.indices.dropLast().map { flag in
            func count(_ part: Int) -> Int { starts[part + 1] - starts[part] }
            let metadata = count(first[flag + 1] - 1) + count(Int(shared[flag]))
            let variant = (first[flag]..<first[flag + 1] - 1).map(count).max() ?? 0
            return variant + metadata + maxReasonBytes + 1
        }
        totalMaxAnswerBytes = maxAnswerBytes.reduce(0, +)
        (self.bytes, self.partStarts, self.firstPart, self.sharedPart) = (bytes, starts, first, shared)
    }

    /// Returns the index of a flag that a caller may see.
    func index(of key: String, seesAll: Bool) -> Int? {
        guard let index = set.index(of: key), seesAll || isPublic[index] else { return nil }
        return index
    }

    /// Returns true if time alone may change the answers that a caller sees.
    func dependsOnTime(seesAll: Bool) -> Bool { seesAll ? readsTime : publicReadTime }

    /// Returns the maximum length of the answers of flags, each with a comma, in bytes.
    func maxAnswerBytes(of flags: [Int]) -> Int {
        flags.count == maxAnswerBytes.count ? totalMaxAnswerBytes : flags.reduce(0) { $0 + maxAnswerBytes[$1] }
    }

    /// Writes the answer for a flag's outcome.
    func write(_ outcome: Evaluation.Outcome, of index: Int, to answer: inout [UInt8]) {
        let end = firstPart[index + 1]
        if outcome.error != nil {
            answer += bytes[range(end - 2)]
        } else {
            answer += bytes[range(outcome.variantIndex.map { firstPart[index] + $0 } ?? end - 3)]
            answer += bytes[range(end - 1)]
            answer += bytes[range(Int(sharedPart[index]))]
        }
        answer += Self.end(of: outcome)
    }

    private func range(_ part: Int) -> Range<Int> { partStarts[part]..<partStarts[part + 1] }

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

    /// Returns the values of a flag's variants as JSON. If one number has a fraction or an exponent, all get a
    /// fraction, because clients in typed languages infer the type from it.
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

    /// Returns the metadata members that OFREP allows, without those for Almanac.
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
