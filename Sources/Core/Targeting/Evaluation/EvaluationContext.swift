public import AlmanacJSONReader

/// The context of an evaluation: attributes by name. The attribute `targetingKey` identifies the user.
public struct EvaluationContext: Sendable {
    /// The attributes of the user.
    public internal(set) var attributes: FlagObject

    /// Creates an empty context.
    public init() { attributes = FlagObject() }

    /// Creates a context from attributes.
    public init(_ attributes: FlagObject) { self.attributes = attributes }

    /// Reads a context from a JSON object.
    /// - Parameters:
    ///   - bytes: The object in UTF-8.
    ///   - maxBytes: The limit on the length, in bytes.
    public init(json bytes: [UInt8], maxBytes: Int = 1 << 20) throws(JSONFault) {
        guard case .object(let object) = try FlagValue(json: bytes, maxBytes: maxBytes) else {
            throw JSONFault(expected: "an object", offset: 0, isMalformed: false)
        }
        attributes = object
    }
}
