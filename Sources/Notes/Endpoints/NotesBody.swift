internal import Environments
internal import HTTP
internal import JSON

/// The JSON bodies of notes calls.
enum NotesBody {
    /// Reads and checks a body.
    static func read(_ request: Request, _ limits: Limits) throws(Problem) -> JSONValue {
        try request.contains("application/json")
        return try request.json(limits.json)
    }

    /// A body that must be an object.
    static func fields(_ request: Request, _ limits: Limits) throws(Problem) -> ActionFields {
        guard let object = try read(request, limits).objectValue else {
            throw Problem(.invalidValue, "expected an object")
        }
        return ActionFields(object)
    }
}
