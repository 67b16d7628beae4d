internal import AlmanacHTTP
internal import AlmanacTimestamps

/// The calls that read the config as it is.
enum ReadEndpoints {
    /// `GET /{environment}/config`: the whole config, a delta (`since`), or a state of the past (`at`).
    static func config(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        let query = request.target.query
        try query.allow("since", "revision", "at", "version")
        if query["at"] != nil {
            guard query["since"] == nil, query["revision"] == nil else {
                throw Problem(.invalidParameter, "'at' shows a whole state; leave out 'since' and 'revision'")
            }
            let past = try Past(request, context)
            return try past.reading.answer(past.marks(form: "")) {
                Representation.array(
                    past.entries.map { EntryJSON.short(key: $0.key, value: $0.value, updatedAt: $0.updatedAt) })
            }
        }
        if let since = query["since"] { return try delta(since, request, context) }
        guard query["revision"] == nil else {
            throw Problem(.invalidParameter, "'revision' names the end of a delta; it needs 'since' as its beginning")
        }
        let reading = try Reading(request, context)
        return try reading.answer { try reading.view.representation(.array) }
    }

    /// `GET /{environment}/config.json`: one object with a member per key.
    static func object(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        try request.target.query.allow("nested", "at", "version")
        let isNested = try request.target.query.boolean("nested")
        let form = isNested ? "-nested" : "-object"
        if request.target.query["at"] != nil {
            let past = try Past(request, context)
            return try past.reading.answer(past.marks(form: form)) {
                let members = past.entries.map { ($0.key, $0.value) }
                return isNested ? try Representation.nested(members) : Representation.object(members)
            }
        }
        let reading = try Reading(request, context)
        return try reading.answer(Reading.Marks(form: form)) {
            try reading.view.representation(isNested ? .nested : .object)
        }
    }

    /// `GET /{environment}/config/{key}`: one entry, or with a timestamp in place of the key the entries changed since.
    static func entry(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        try request.target.query.allow("version")
        let text = captures["key"]
        // A key never begins like a timestamp does.
        if let first = text.utf8.first, (48...57).contains(first) {
            guard let time = Timestamp(text) else {
                throw Problem(.invalidTimestamp, "expected a key, or a time such as 2020-10-17T18:43:19.000Z")
            }
            let reading = try Reading(request, context)
            return try reading.answer(Reading.Marks(form: "-after")) {
                reading.view.delta(after: time, hasTombstones: false)
            }
        }
        let key = try ConfigKey.checked(text)
        let reading = try Reading(request, context)
        guard let entry = reading.view.entry(key), !entry.isTombstone else {
            throw Problem(
                .entryNotFound, "there is no entry '\(key)'", headers: ConfigHeaders.fields(of: reading.snapshot.head))
        }
        return try reading.answer(Reading.Marks(form: "-entry")) { EntryJSON.long(entry) }
    }
}
