internal import AlmanacTargeting

/// Why a call about flags is refused.
enum FlagsRefusal: Error {
    /// The body is no JSON.
    case malformed(JSONFault)
    /// The body is JSON that tells nothing about who is asking.
    case invalidContext(String)
    case flagNotFound(key: String)
    /// The flag has no value because something is wrong with it.
    case notEvaluated(key: String, EvaluationFault)
    /// All flags together are more than one answer is about.
    case tooMuch(String)
}
