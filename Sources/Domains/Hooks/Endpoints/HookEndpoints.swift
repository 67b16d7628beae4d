internal import AlmanacCryptography
internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacWebhooks

/// The endpoints of hooks, for administrators.
enum HookEndpoints {
    /// `GET /{environment}/hooks`: all hooks, oldest first, without their secrets.
    static func list(_ request: Request, _: Captures, _ context: HooksContext) throws -> Response {
        _ = try context.administrator(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        let hooks = try context.pool.withConnection { try $0.run(Call(HookStatements.list)).map { try HookRecord($0) } }
        var writer = JSONWriter()
        writer.array { writer in for hook in hooks { writer.object { $0.members(of: hook) } } }
        return .uncached(writer.bytes)
    }

    /// `GET /{environment}/hooks/{id}`.
    static func read(_ request: Request, _ captures: Captures, _ context: HooksContext) throws -> Response {
        _ = try context.administrator(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        return answer(try context.pool.withConnection { try find(captures["id"], on: $0) })
    }

    /// `POST /{environment}/hooks`: creates a hook. Only this response and that of a rotation show the secret.
    static func create(_ request: Request, _: Captures, _ context: HooksContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        let fields = try HookFields(try object(request, context), for: context.settings.hooks)
        let secret = WebhookSecret()
        let id = String(
            Base64URL.encode(RandomBytes.make(count: 16)).lowercased().filter { $0.isLetter || $0.isNumber }.prefix(12))
        let hook = try context.pool.withConnection { connection in
            try connection.change { connection in
                guard
                    let row = try connection.run(HookStatements.insert(fields, id: id, secret: secret, by: caller))
                        .first
                else {
                    throw Problem(
                        .limitExceeded,
                        "the environment has \(HookFields.maxHooks) hooks, which is the limit; delete one")
                }
                try record(.hookCreate, id, caller, connection)
                return try HookRecord(row)
            }
        }
        return answer(hook, secret: secret, status: 201)
    }

    /// `PATCH /{environment}/hooks/{id}`: changes the members that are there.
    static func change(_ request: Request, _ captures: Captures, _ context: HooksContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        let object = try object(request, context)
        let hook = try context.pool.withConnection { connection in
            try connection.change { connection in
                var fields = HookFields(try find(captures["id"], on: connection))
                try fields.change(object, for: context.settings.hooks)
                try record(.hookChange, captures["id"], caller, connection)
                return try one(HookStatements.update(fields, id: captures["id"]), on: connection)
            }
        }
        return answer(hook)
    }

    /// `DELETE /{environment}/hooks/{id}`: deletes a hook with its deliveries.
    static func remove(_ request: Request, _ captures: Captures, _ context: HooksContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        try request.target.query.allow()
        try context.pool.withConnection { connection in
            try connection.change { connection in
                guard try connection.run(HookStatements.delete(captures["id"])).first != nil else { throw notFound }
                try record(.hookDelete, captures["id"], caller, connection)
            }
        }
        return Response(status: 204, headers: [("Cache-Control", "no-store")])
    }

    /// `POST /{environment}/hooks/{id}/enable`: enables a hook that was disabled.
    static func enable(_ request: Request, _ captures: Captures, _ context: HooksContext) throws -> Response {
        answer(try step(HookStatements.enable(captures["id"]), .hookEnable, request, captures, context))
    }

    /// `POST /{environment}/hooks/{id}/rotate`: makes another secret, and shows it. Both sign for 24 hours.
    static func rotate(_ request: Request, _ captures: Captures, _ context: HooksContext) throws -> Response {
        let secret = WebhookSecret()
        let call = HookStatements.rotate(captures["id"], to: secret)
        return answer(try step(call, .hookRotate, request, captures, context), secret: secret)
    }

    private static func step(
        _ call: Call, _ action: AuditedAction, _ request: Request, _ captures: Captures, _ context: HooksContext
    ) throws -> HookRecord {
        let caller = try context.freshAdministrator(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        return try context.pool.withConnection { connection in
            try connection.change { connection in
                let hook = try one(call, on: connection)
                try record(action, hook.id, caller, connection)
                return hook
            }
        }
    }

    static func find(_ id: String, on connection: Connection) throws -> HookRecord {
        try one(HookStatements.find(id), on: connection)
    }

    private static func one(_ call: Call, on connection: Connection) throws -> HookRecord {
        guard let row = try connection.run(call).first else { throw notFound }
        return try HookRecord(row)
    }

    static let notFound = Problem(.hookNotFound, "there is no hook with this id; GET hooks lists them")

    static func record(
        _ action: AuditedAction, _ id: String, _ caller: Caller, _ connection: Connection
    ) throws {
        try connection.run(AuditStatements.record(action, by: caller.author, subject: id))
    }

    private static func object(_ request: Request, _ context: HooksContext) throws -> JSONObject {
        try request.target.query.allow()
        try request.accepts("application/json")
        try request.contains("application/json", "application/merge-patch+json")
        return try request.json(context.settings.limits.json).members(["url", "label", "format", "types", "keys"])
    }

    private static func answer(_ hook: HookRecord, secret: WebhookSecret? = nil, status: Int = 200) -> Response {
        .uncached(
            status: status,
            JSONWriter.object { writer in
                writer.members(of: hook)
                if let secret { writer.member("secret", secret.text) }
            })
    }
}

extension JSONWriter {
    fileprivate mutating func members(of hook: HookRecord) {
        member("id", hook.id)
        member("url", hook.url)
        member("label", hook.label)
        member("format", hook.format.rawValue)
        member("types", hook.types)
        member("keys", hook.keys)
        member("created_by", hook.author)
        member("created_at", "\(hook.createdAt)")
        member("disabled_at", value: hook.disabledAt.map { .string("\($0)") } ?? .null)
        member("disabled_reason", value: hook.disabledReason.map { .string($0) } ?? .null)
    }
}
