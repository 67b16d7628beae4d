internal import AlmanacTargeting

/// A refused call about flags.
enum FlagsRefusal: Error {
    /// The body is not JSON.
    case malformed(JSONFault)
    /// The body is JSON, but not a valid context.
    case invalidContext(String)
    case flagNotFound(key: String)
    /// Only clients with a newer major have the flag.
    ///
    /// - Parameter reason: The fault that the flag would have in the pinned major; nil if it would have none.
    case flagNotInMajor(key: String, major: Int, reason: String?)
    /// The flag has no value because of a fault.
    case notEvaluated(key: String, EvaluationFault)
    /// The flags together exceed the limits of one response.
    case limitExceeded(String)
}
