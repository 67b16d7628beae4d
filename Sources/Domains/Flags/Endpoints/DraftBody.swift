internal import AlmanacConfigDomain
internal import AlmanacHTTP
internal import AlmanacTargeting
internal import AlmanacTimestamps

/// The body of an explain or sample call: the contexts and the time to evaluate for, and a draft to use instead of the
/// stored flag.
struct DraftBody {
    private(set) var context = EvaluationContext()
    private(set) var definition: FlagValue?
    /// The shared rules to use instead of the stored ones.
    private var evaluators: FlagObject?
    /// The time to evaluate for, in seconds since 1970; nil for the time of the request.
    private(set) var time: Int64?
    private(set) var fractional: FractionalVersion?
    private(set) var ids: [String]?
    private(set) var count = 10_000

    /// The maximum number of targeting keys in a sample.
    private static let maxTargetingKeys = 100_000

    /// The members that both calls accept.
    private static let names = ["context", "definition", "$evaluators", "time"]

    /// - Parameter others: The members that the call accepts besides those of both calls.
    init(_ request: Request, _ others: [String] = []) throws {
        let names = Self.names + others
        let bytes = try request.bytes(limit: 2 * EvaluationBody.maxBytes)
        if !bytes.isEmpty { try request.contains("application/json") }
        try request.memory.reserve(bytes.count * EvaluationBody.memoryPerByte)
        for member in try Self.members(bytes) {
            guard names.contains(member.name) else {
                let known = names.map { "'\($0)'" }.joined(separator: ", ")
                throw Problem(.invalidValue, "unknown member '\(member.name.prefix(200))'; expected \(known)")
            }
            try apply(member)
        }
    }

    private static func members(_ bytes: [UInt8]) throws -> [FlagObject.Member] {
        if bytes.isEmpty { return [] }
        let value: FlagValue
        do throws(JSONFault) {
            value = try FlagValue(json: bytes)
        } catch {
            throw FlagsRefusal.malformed(error)
        }
        guard case .object(let object) = value else {
            throw Problem(.invalidValue, "expected an object, such as {\"context\":{\"targetingKey\":\"u1\"}}")
        }
        return object.members
    }

    private mutating func apply(_ member: FlagObject.Member) throws(Problem) {
        switch (member.name, member.value) {
        case (_, .null): break
        case ("context", .object(let attributes)):
            guard attributes.hasTextAsTargetingKey else {
                throw Problem(.invalidValue, "'targetingKey' in 'context' must be a text")
            }
            context = EvaluationContext(attributes)
        case ("context", _): throw Problem(.invalidValue, "'context' must be an object with attributes of the caller")
        case ("definition", .object): definition = member.value
        case ("definition", _): throw Problem(.invalidValue, "'definition' must be an object in flagd's format")
        case ("$evaluators", .object(let rules)): evaluators = rules
        case ("$evaluators", _): throw Problem(.invalidValue, "'$evaluators' must be an object of rules by name")
        case ("time", .string(let text)):
            guard let instant = Timestamp(text) else { throw Self.wrongTime }
            time = instant.milliseconds / 1000
        case ("time", _): throw Self.wrongTime
        case ("fractional", .number(let number)) where number.double == 2: fractional = .version2
        case ("fractional", .number(let number)) where number.double == 3: fractional = .version3
        case ("fractional", _): throw Problem(.invalidValue, "'fractional' must be 2 or 3")
        case ("count", .number(let number))
        where (1...Double(Self.maxTargetingKeys)).contains(number.double) && number.double == number.double.rounded():
            count = Int(number.double)
        case ("count", _):
            throw Problem(.invalidValue, "'count' must be a whole number from 1 to \(Self.maxTargetingKeys)")
        case (_, .array(let elements)) where elements.count <= Self.maxTargetingKeys:
            ids = try elements.map { element throws(Problem) in
                guard case .string(let id) = element else { throw Self.wrongIDs }
                return id
            }
        default: throw Self.wrongIDs
        }
    }

    private static var wrongIDs: Problem {
        Problem(.invalidValue, "'ids' must be an array of up to \(maxTargetingKeys) targeting keys as texts")
    }

    private static var wrongTime: Problem {
        Problem(.invalidValue, "'time' must be a time in RFC 3339, such as \"2026-12-01T09:00:00Z\"")
    }

    /// True if the body contains a definition, shared rules or a split version to try.
    var isDraft: Bool { definition != nil || evaluators != nil || fractional != nil }

    /// Returns the flags with the draft; refuses a flag that is neither stored nor in the draft.
    func set(of key: String, _ flags: CompiledFlags) throws(FlagsRefusal) -> FlagSet {
        guard definition != nil || flags.set.index(of: key) != nil else { throw .flagNotFound(key: key) }
        return isDraft ? flags.draft(definition, of: key, evaluators, fractional) : flags.set
    }
}
