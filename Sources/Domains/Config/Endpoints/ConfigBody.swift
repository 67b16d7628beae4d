internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPostgreSQL

enum ConfigBody {
    /// Parses and validates a request body. Numbers get the digits that PostgreSQL will store.
    ///
    /// - Parameter members: The maximum number of members of the outermost object.
    static func read(_ request: Request, _ service: ConfigService, members: Int = .max) throws -> JSONValue {
        var limits = service.settings.limits.json
        limits.elements = members
        return try canonical(try request.json(limits), service)
    }

    /// Parses the body of `PATCH /{environment}/config` in the form that the query selects.
    static func patch(_ request: Request, _ service: ConfigService) throws -> ConfigWrite {
        let query = request.target.query
        let replaces = try query.boolean("replace")
        guard [nil, "entries"].contains(query["form"]), replaces || query["form"] == nil else {
            throw Problem(.invalidParameter, "'form' must be 'entries', and needs replace=true")
        }
        if replaces {
            try request.contains("application/json")
        } else {
            try request.contains("application/merge-patch+json", "application/json")
        }
        // A replacement may remove every entry and add as many new ones, so twice the limit is allowed.
        let document = try read(request, service, members: 2 * service.settings.limits.entries)
        guard let object = document.objectValue else {
            throw Problem(.invalidValue, "expected an object with a member per key to change")
        }
        if let wrong = object.members.first(where: { !EntryKey.isValid($0.name) }) {
            throw Problem(.invalidValue, "'\(wrong.name.prefix(200))' is not a valid key; expected \(EntryKey.form)")
        }
        guard replaces else { return .merge(object) }
        let isOfEntries = query["form"] != nil
        return .replace(
            try object.members.map { member in
                guard member.value != .null else { return EntryReplacement(key: member.name, content: .removed) }
                guard isOfEntries else {
                    return EntryReplacement(key: member.name, content: .value(member.value, description: nil))
                }
                return EntryReplacement(key: member.name, content: try content(of: member.value, for: member.name))
            })
    }

    /// Parses the replacement of an entry: an object with a value, a description or both.
    private static func content(of member: JSONValue, for key: String) throws(Problem) -> EntryReplacement.Content {
        do {
            let object = try member.members(["value", "description", "kind"])
            let description = try description(object)
            if object["value"] == nil, object["kind"] == nil, let description { return .description(description) }
            return .value(try value(object), description: description, kind: try kind(object))
        } catch {
            throw Problem(error.kind, "'\(key)': \(error.detail)")
        }
    }

    private static func canonical(_ document: JSONValue, _ service: ConfigService) throws -> JSONValue {
        // PostgreSQL takes time for a long document, and changes few numbers.
        guard document.containsNumber(where: \.isRewrittenByJSONB) else { return document }
        do {
            let stored = try service.pool.withConnection { connection in
                let text = String(decoding: document.serialized(), as: UTF8.self)
                return try connection.run(EntryStatements.canonical(json: text)).single("a value").bytes("value")
            }
            return try JSONValue(parsing: stored, limits: .stored)
        } catch let failure as JSONFailure {
            // PostgreSQL writes numbers without an exponent, so a number may exceed the length limit.
            throw Problem(.invalidValue, "\(failure)")
        } catch PostgresFailure.refused(let error) where error.state.rawValue.hasPrefix("22") {
            throw Problem(.invalidValue, "PostgreSQL's jsonb cannot hold this value exactly")
        }
    }

    static func value(_ object: JSONObject) throws(Problem) -> JSONValue {
        guard let value = object["value"], value != .null else {
            throw Problem(.invalidValue, "'value' is missing; expected any JSON except null")
        }
        return value
    }

    static func kind(_ object: JSONObject) throws(Problem) -> EntryKind? {
        guard let member = object["kind"] else { return nil }
        guard let kind = member.stringValue.flatMap(EntryKind.init(rawValue:)) else {
            throw Problem(.invalidValue, "'kind' must be 'value' or 'flag', or 'flag-set' for '_flags'")
        }
        return kind
    }

    /// Returns the member `description`, or nil if it is absent. Null stands for an empty description.
    static func description(_ object: JSONObject) throws(Problem) -> String? {
        guard let member = object["description"] else { return nil }
        if member == .null { return "" }
        guard let text = member.stringValue, text.utf8.count <= Entry.maxDescriptionBytes else {
            throw Problem(.invalidValue, "'description' must be a text of at most \(Entry.maxDescriptionBytes) bytes")
        }
        return text
    }
}

extension JSONNumber {
    /// True if `jsonb` writes other digits: it writes out exponents, and has no negative zero.
    fileprivate var isRewrittenByJSONB: Bool {
        text.hasPrefix("-0") || text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
    }
}

extension JSONValue {
    fileprivate func containsNumber(where matches: (JSONNumber) -> Bool) -> Bool {
        switch self {
        case .number(let number): matches(number)
        case .array(let elements): elements.contains { $0.containsNumber(where: matches) }
        case .object(let object): object.members.contains { $0.value.containsNumber(where: matches) }
        case .null, .boolean, .string: false
        }
    }
}
