internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL

/// The calls about major versions.
enum MajorEndpoints {
    /// `GET /{environment}/majors`: the majors, what each alone keeps alive, and when it was last asked for.
    static func list(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        try request.target.query.allow()
        try request.accepts("application/json")
        _ = try context.caller(of: request, with: .configRead)
        try context.service.recordAsks()
        try context.service.refresh()
        let rows = try context.service.pool.withConnection { try $0.run(MajorStatements.all) }
        let snapshot = context.service.store.current.snapshot
        let documents = try rows.map { row in
            let major = try Major(row)
            let number = major.newest.major
            let isCurrent = number == snapshot.head.version.major
            // What this major still sees although the newest config has moved on from it.
            let kept = major.retiredAt == nil ? snapshot.view(of: number).live.filter { !$0.isNewest } : []
            var writer = JSONWriter()
            writer.beginObject()
            writer.name("major")
            writer.integer(Int64(number))
            writer.name("version")
            writer.string("\(major.newest)")
            writer.name("released_revision")
            writer.integer(major.releasedRevision)
            writer.name("current")
            writer.boolean(isCurrent)
            writer.name("keeps")
            writer.beginArray()
            for entry in kept { writer.string(entry.key) }
            writer.endArray()
            writer.name("last_asked_at")
            if let time = major.lastAskedAt { writer.string("\(time)") } else { writer.null() }
            writer.name("retired_at")
            if let time = major.retiredAt { writer.string("\(time)") } else { writer.null() }
            writer.endObject()
            return writer.bytes
        }
        return .uncached(Representation.array(documents))
    }

    /// `DELETE /{environment}/majors/{major}`: retires a major that no build uses any more.
    static func retire(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        try request.target.query.allow()
        var intent = try WriteEndpoints.intent(request, context, scope: .admin)
        intent.kind = .retire
        guard let pin = PinnedVersion(captures["major"]), pin.text == "\(pin.major)" else {
            throw Problem(.invalidVersion, "expected a major version, a whole number such as 1")
        }
        return WriteEndpoints.answer(try context.service.writer.retire(major: pin.major, intent), context)
    }
}
