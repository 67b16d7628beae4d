internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPostgreSQL

/// The JSON bodies of config writes.
enum ConfigBody {
    /// Reads and checks a body, and gives numbers the digits that PostgreSQL will store.
    static func read(_ request: Request, _ service: ConfigService) throws -> JSONValue {
        try canonical(try request.json(service.settings.limits.json), service)
    }

    private static func canonical(_ document: JSONValue, _ service: ConfigService) throws -> JSONValue {
        do {
            let stored = try service.pool.withConnection { connection in
                let text = String(decoding: document.serialized(), as: UTF8.self)
                return try connection.run(EntryStatements.canonical(json: text)).single("a value").bytes("value")
            }
            return try JSONValue(parsing: stored, limits: .stored)
        } catch let failure as JSONFailure {
            // Written out without its exponent, a number may become too long.
            throw Problem(.invalidValue, "\(failure)")
        } catch PostgresFailure.refused(let error) where error.state.rawValue.hasPrefix("22") {
            throw Problem(.invalidValue, "PostgreSQL's jsonb cannot hold this value exactly")
        }
    }

    /// The member `value`: any JSON but null.
    static func value(_ object: JSONObject) throws(Problem) -> JSONValue {
        guard let value = object["value"], value != .null else {
            throw Problem(.invalidValue, "'value' must be there and may be any JSON but null")
        }
        return value
    }

    /// The member `description`; nil when it is left out.
    static func description(_ object: JSONObject) throws(Problem) -> String? {
        guard let member = object["description"] else { return nil }
        if member == .null { return "" }
        guard let text = member.stringValue, text.utf8.count <= 4096 else {
            throw Problem(.invalidValue, "'description' must be a text of at most 4096 bytes")
        }
        return text
    }
}
