internal import AlmanacTargeting

/// A refused call about flags.
enum FlagsRefusal: Error {
    /// The body is not JSON.
    case malformed(JSONFault)
    /// The body is JSON, but not a valid context.
    case invalidContext(String)
    /// - Parameter major: The pinned major, if only clients with a newer major have the flag.
    case flagNotFound(key: String, major: Int? = nil)
    /// The flag has no value because of a fault.
    case notEvaluated(key: String, EvaluationFault)
    /// The flags together exceed the limits of one response.
    case limitExceeded(String)
}
