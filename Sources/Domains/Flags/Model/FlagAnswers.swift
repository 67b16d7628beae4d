internal import AlmanacTargeting

/// The answers for each flag and variant, encoded once for a set of flags.
///
/// An answer consists of parts of `bytes`: the variant, the flag's metadata, the set's metadata and the reason. All
/// parts share one allocation, because there may be tens of thousands. If a flag's metadata is short, the part of a
/// variant is the whole answer, so that most answers are one copy.
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
    /// without, and omitted for a flag whose metadata includes the set's. The ends of answers follow, as in `Ending`.
    /// Then each flag has its variants in order, the whole answer for the default if no rule selects a variant, the
    /// answer without a value, the answer for a failure, and the flag's metadata.
    private let partStarts: [Int]
    /// The first part of each flag, and at the end the number of parts.
    private let firstPart: [Int]
    /// The part with the set's metadata for each flag; nil if the flag's other parts include all metadata.
    private let sharedPart: [UInt8?]
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
        var (bytes, starts, first, shared): ([UInt8], [Int], [Int], [UInt8?]) = ([], [], [], [])
        func part(_ text: String) {
            starts.append(bytes.count)
            bytes += text.utf8
        }
        let setMembers = Self.members(of: set.metadata)
        let end = "},\"reason\":\""
        let shownSetMembers = setMembers.joined(separator: ",")
        let sharedTexts = [setMembers.isEmpty ? end : "," + shownSetMembers + end, shownSetMembers + end, end]
        sharedTexts.forEach(part)
        let endings = Ending.allCases.map(\.text)
        endings.forEach(part)
        for flag in set.flags {
            first.append(starts.count)
            let key = "{\"key\":" + FlagValue.string(flag.key).json
            let isOverridden = flag.ownMetadata.members.contains { set.metadata[$0.name] != nil }
            let own = Self.members(of: isOverridden ? flag.metadata : flag.ownMetadata)
            let metadata = ",\"metadata\":{" + own.joined(separator: ",")
            let sharedIndex = isOverridden ? 2 : own.isEmpty ? 1 : 0
            let tail = metadata + sharedTexts[sharedIndex]
            let isShort = tail.utf8.count <= Self.maxRepeatedBytes
            let suffix = isShort ? tail : ""
            let variants = zip(flag.variants, Self.values(of: flag)).map { variant, value in
                key + ",\"value\":" + value + ",\"variant\":" + FlagValue.string(variant.name).json + suffix
            }
            let reason = !flag.isEnabled ? Ending.disabled : flag.hasRule ? .targetingMatch : .static
            let ending = isShort ? reason.text : ""
            for variant in variants { part(variant + ending) }
            let hasWholeDefault = isShort && flag.hasRule
            part(hasWholeDefault ? flag.defaultVariant.map { variants[$0] + Ending.default.text } ?? "" : "")
            // OpenFeature's Python client fails without the member.
            part(key + ",\"variant\":\"\"" + suffix)
            part(key + ",\"errorCode\":\"")
            part(isShort ? "" : metadata)
            shared.append(isShort ? nil : UInt8(sharedIndex))
        }
        first.append(starts.count)
        starts.append(bytes.count)
        let maxEndingBytes = endings.map(\.utf8.count).max() ?? 0
        maxAnswerBytes = first.indices.dropLast().map { flag in
            func count(_ part: Int) -> Int { starts[part + 1] - starts[part] }
            let metadata = count(first[flag + 1] - 1) + (shared[flag].map { count(Int($0)) } ?? 0)
            let variant = (first[flag]..<first[flag + 1] - 1).map(count).max() ?? 0
            return variant + metadata + maxEndingBytes
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

    /// Writes the answer for a flag's outcome, and a comma.
    func write(_ outcome: Evaluation.Outcome, of index: Int, to answer: inout [UInt8]) {
        let end = firstPart[index + 1]
        let shared = sharedPart[index]
        if let variant = outcome.variantIndex, shared == nil {
            append(part: outcome.reason == .default ? end - 4 : firstPart[index] + variant, to: &answer)
            return
        }
        if outcome.error != nil {
            append(part: end - 2, to: &answer)
        } else {
            append(part: outcome.variantIndex.map { firstPart[index] + $0 } ?? end - 3, to: &answer)
            if let shared {
                append(part: end - 1, to: &answer)
                append(part: Int(shared), to: &answer)
            }
        }
        append(part: Self.sharedParts + Ending(outcome.reason, outcome.error).rawValue, to: &answer)
    }

    private func append(part index: Int, to answer: inout [UInt8]) {
        let range = partStarts[index]..<partStarts[index + 1]
        // Safe because the bytes are only read, within the call. Appending a slice of the array would take longer.
        unsafe bytes.withUnsafeBufferPointer {
            unsafe answer.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range]))
        }
    }

    /// The number of parts with the set's metadata.
    private static let sharedParts = 3
    /// The maximum length of metadata that is repeated for each variant, in bytes.
    private static let maxRepeatedBytes = 128

    /// The end of an answer: the reason, or the error, and a comma.
    private enum Ending: Int, CaseIterable {
        case `static`, `default`, targetingMatch, disabled, broken, failed

        init(_ reason: Evaluation.Reason, _ error: EvaluationFault?) {
            self =
                switch reason {
                case .static: .static
                case .default: .default
                case .targetingMatch: .targetingMatch
                case .disabled: .disabled
                case .error: if case .broken? = error { .broken } else { .failed }
                }
        }

        var text: String {
            switch self {
            case .static: "STATIC\"},"
            case .default: "DEFAULT\"},"
            case .targetingMatch: "TARGETING_MATCH\"},"
            case .disabled: "DISABLED\"},"
            case .broken: Self.failure("PARSE_ERROR", EvaluationFault.brokenDetails)
            case .failed: Self.failure("GENERAL", EvaluationFault.generalDetails)
            }
        }

        private static func failure(_ code: String, _ details: String) -> String {
            code + "\",\"errorDetails\":" + FlagValue.string(details).json + "},"
        }
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
