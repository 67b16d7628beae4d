internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

enum MajorEndpoints {
    /// Handles `GET /{environment}/majors`: lists majors with their last use and the keys of the old values they serve.
    static func list(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        _ = try context.caller(of: request, with: .configRead)
        try request.target.query.allow()
        try request.accepts("application/json")
        try context.service.recordMajorUses()
        try context.service.refresh()
        let rows = try context.service.pool.withConnection { try $0.run(MajorStatements.all) }
        let snapshot = context.service.store.current.snapshot
        let documents = try rows.map { row in
            let major = try Major(row)
            let number = major.newest.major
            let isCurrent = number == snapshot.head.version.major
            let differing = major.retiredAt == nil ? snapshot.differingKeys(of: number) : (kept: [], lacking: [])
            return JSONWriter.object { writer in
                writer.member("major", Int64(number))
                writer.member("version", "\(major.newest)")
                writer.member("released_revision", major.releasedRevision)
                writer.member("current", isCurrent)
                writer.member("keeps", differing.kept)
                let obstacles = isCurrent ? [:] : snapshot.flags.obstacles(in: number)
                writer.member(
                    "lacks",
                    array: { writer in
                        for key in differing.lacking {
                            writer.object { writer in
                                writer.member("key", key)
                                let reason = obstacles[key]?.reason(toWithhold: key)
                                writer.member("reason", reason ?? "its next change reaches this major")
                            }
                        }
                    })
                for (name, time) in [("last_asked_at", major.lastAskedAt), ("retired_at", major.retiredAt)] {
                    writer.member(name, value: time.map { .string("\($0)") } ?? .null)
                }
            }
        }
        return .uncached(Representation.array(documents))
    }

    /// Handles `DELETE /{environment}/majors/{major}`: retires a major, which builds can then no longer pin.
    static func retire(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        let caller = try context.administrator(of: request)
        var intent = try WriteEndpoints.intent(request, context)
        try request.target.query.allow("bypass")
        intent.kind = .retire
        intent.bypassReason = try context.bypassReason(of: request, caller)
        guard let pin = PinnedVersion(captures["major"]), pin.text == "\(pin.major)" else {
            throw Problem(.invalidVersion, "expected a major version, a whole number such as 1")
        }
        intent.subject = pin.text
        return WriteEndpoints.answer(try context.service.writer.retire(major: pin.major, intent), context)
    }
}
