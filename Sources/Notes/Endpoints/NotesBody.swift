internal import Environments
internal import HTTP
internal import JSON

/// The JSON bodies of notes calls.
enum NotesBody {
    /// Reads and checks a body.
    static func read(_ request: Request, _ limits: Limits) throws(Problem) -> JSONValue {
        try request.contains("application/json")
        let bytes = try request.body.bytes(limit: limits.bodyBytes)
        var bounds = JSONLimits()
        bounds.bytes = limits.bodyBytes
        bounds.depth = limits.depth
        do {
            return try JSONValue(parsing: bytes, limits: bounds)
        } catch {
            let kind: ProblemKind =
                switch error {
                case .tooLarge: .bodyTooLarge
                case .tooDeep: .limitExceeded
                case .nulCharacter, .loneSurrogate, .numberOutOfRange: .invalidValue
                default: .invalidJSON
                }
            throw Problem(kind, "\(error)")
        }
    }

    /// A body that must be an object.
    static func fields(_ request: Request, _ limits: Limits) throws(Problem) -> ActionFields {
        guard let object = try read(request, limits).objectValue else {
            throw Problem(.invalidValue, "expected an object")
        }
        return ActionFields(object)
    }
}
