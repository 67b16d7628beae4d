internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON

/// The JSON bodies of notes calls.
enum NotesBody {
    /// Reads and checks a body.
    static func read(_ request: Request, _ limits: Limits) throws(Problem) -> JSONValue {
        try request.contains("application/json")
        return try request.json(limits.json)
    }

    /// A body that must be an array of actions; nil when it is none.
    ///
    /// An action with a character that can't be stored is refused by itself.
    static func actions(_ request: Request, _ limits: Limits) throws(Problem) -> [ActionRequest]? {
        let mended = MendedArray(try request.body.bytes(limit: limits.json.bytes))
        let request = Request(
            method: request.method, target: request.target, headers: request.headers, id: request.id,
            body: Body(length: mended.bytes.count) { _ in mended.bytes })
        return try read(request, limits).arrayValue?.enumerated().map { ActionRequest($1, flaw: mended.flaws[$0]) }
    }

    /// A body that must be an object.
    static func fields(_ request: Request, _ limits: Limits) throws(Problem) -> ActionFields {
        guard let object = try read(request, limits).objectValue else {
            throw Problem(.invalidValue, "expected an object")
        }
        return ActionFields(object)
    }
}
