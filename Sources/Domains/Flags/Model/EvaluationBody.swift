internal import AlmanacTargeting

/// The body of an evaluation (OFREP 0.3, `evaluationRequest`): who is asking.
struct EvaluationBody {
    let context: EvaluationContext
    /// The longest that is taken, in bytes.
    static let longest = 1 << 20
    /// What a byte may become in memory, in bytes: an element of an array in two of them.
    static let growth = MemoryLayout<FlagValue>.stride

    /// - Parameter bytes: empty where nothing is known of the caller.
    init(_ bytes: [UInt8]) throws(FlagsRefusal) {
        guard !bytes.isEmpty else {
            context = EvaluationContext()
            return
        }
        guard case .object(let body) = try Self.document(bytes) else {
            throw .invalidContext("the body must be an object, such as {\"context\":{\"targetingKey\":\"u1\"}}")
        }
        switch body["context"] {
        // What is null in one language is left out in another.
        case nil, .null?: context = EvaluationContext()
        case .object(let attributes)?:
            guard attributes.hasTextAsTargetingKey else { throw .invalidContext("'targetingKey' must be a text") }
            context = EvaluationContext(attributes)
        default: throw .invalidContext("'context' must be an object, such as {\"targetingKey\":\"u1\"}")
        }
    }

    private static func document(_ bytes: [UInt8]) throws(FlagsRefusal) -> FlagValue {
        do throws(JSONFault) {
            return try FlagValue(json: bytes, longest: longest)
        } catch {
            throw error.isMalformed ? .malformed(error) : .invalidContext("the body cannot be taken: \(error.message)")
        }
    }

    /// The keys that a bulk evaluation is narrowed to by the attribute `flags`, a list or a text with commas; nil where
    /// it names no keys.
    var namedKeys: [String]? {
        switch context.attributes["flags"] {
        case .string(let text)?: return text.split { $0 == "," || $0 == " " }.map { String($0) }
        case .array(let elements)?: return elements.compactMap { if case .string(let key) = $0 { key } else { nil } }
        default: return nil
        }
    }
}

extension FlagObject {
    /// Whether the targeting key is a text, or left out.
    var hasTextAsTargetingKey: Bool {
        switch self["targetingKey"] {
        case nil, .null?, .string?: true
        default: false
        }
    }
}
