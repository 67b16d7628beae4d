internal import AlmanacTargeting

/// The body of an evaluation (OFREP 0.3, `evaluationRequest`), with the context.
struct EvaluationBody {
    let context: EvaluationContext
    /// The maximum length, in bytes.
    static let maxBytes = 1 << 20
    /// The estimated memory for each byte of a body, in bytes. An array element may be as short as two bytes.
    static let memoryPerByte = MemoryLayout<FlagValue>.stride

    /// - Parameter bytes: The body; empty if nothing is known of the caller.
    init(_ bytes: [UInt8]) throws(FlagsRefusal) {
        guard !bytes.isEmpty else {
            context = EvaluationContext()
            return
        }
        guard case .object(let body) = try Self.document(bytes) else {
            throw .invalidContext("the body must be an object, such as {\"context\":{\"targetingKey\":\"u1\"}}")
        }
        switch body["context"] {
        // Some languages send null for a missing value.
        case nil, .null?: context = EvaluationContext()
        case .object(let attributes)?:
            guard attributes.hasTextAsTargetingKey else { throw .invalidContext("'targetingKey' must be a text") }
            context = EvaluationContext(attributes)
        default: throw .invalidContext("'context' must be an object, such as {\"targetingKey\":\"u1\"}")
        }
    }

    private static func document(_ bytes: [UInt8]) throws(FlagsRefusal) -> FlagValue {
        do throws(JSONFault) {
            return try FlagValue(json: bytes, maxBytes: maxBytes)
        } catch {
            throw error.isMalformed ? .malformed(error) : .invalidContext("the body is not valid: \(error.message)")
        }
    }

    /// The keys in the attribute `flags` (a list, or a text with commas), which restrict a bulk evaluation, or nil.
    var namedKeys: [String]? {
        switch context.attributes["flags"] {
        case .string(let text)?: return text.split { $0 == "," || $0 == " " }.map { String($0) }
        case .array(let elements)?: return elements.compactMap { if case .string(let key) = $0 { key } else { nil } }
        default: return nil
        }
    }
}

extension FlagObject {
    /// True if the targeting key is a text or absent.
    var hasTextAsTargetingKey: Bool {
        switch self["targetingKey"] {
        case nil, .null?, .string?: true
        default: false
        }
    }
}
