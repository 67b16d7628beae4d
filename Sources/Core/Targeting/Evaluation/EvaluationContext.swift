public import AlmanacJSONReader

/// Who is asking: attributes by name, of which `targetingKey` tells one user from another.
public struct EvaluationContext: Sendable {
    /// What is known of the caller.
    public internal(set) var attributes: FlagObject

    /// Nobody in particular.
    public init() { attributes = FlagObject() }

    /// A caller of whom something is known.
    public init(_ attributes: FlagObject) { self.attributes = attributes }

    /// Reads a JSON object.
    /// - Parameters:
    ///   - bytes: The object in UTF-8.
    ///   - longest: How many bytes are taken.
    public init(json bytes: [UInt8], longest: Int = 1 << 20) throws(JSONFault) {
        guard case .object(let object) = try FlagValue(json: bytes, longest: longest) else {
            throw JSONFault(expected: "an object", offset: 0, isMalformed: false)
        }
        attributes = object
    }
}
