internal import AlmanacCryptography
internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacWebhooks

/// The endpoints of a hook's deliveries, for administrators.
enum DeliveryEndpoints {
    /// `GET /{environment}/hooks/{id}/deliveries`: the deliveries of the last 30 days, newest first.
    static func list(_ request: Request, _ captures: Captures, _ context: HooksContext) throws -> Response {
        _ = try context.administrator(of: request)
        let query = request.target.query
        try query.allow("before", "limit")
        try request.accepts("application/json")
        let limit = try query.integer("limit", in: 1...100) ?? 50
        let before = try query.integer("before", in: 1...Int64.max) ?? .max
        let deliveries = try context.pool.withConnection { connection in
            _ = try HookEndpoints.find(captures["id"], on: connection)
            return try connection.run(HookStatements.deliveries(of: captures["id"], before: before, limit: limit))
                .map { try DeliveryRecord($0) }
        }
        var writer = JSONWriter()
        writer.array { writer in for delivery in deliveries { writer.object { $0.members(of: delivery) } } }
        return .uncached(writer.bytes)
    }

    /// `POST /{environment}/hooks/{id}/test`: sends a test event to one hook.
    static func test(_ request: Request, _ captures: Captures, _ context: HooksContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        let eventID = "test:" + Base64URL.encode(RandomBytes.make(count: 12))
        return try add(.hookTest, by: caller, request, captures, context) { connection in
            try connection.run(HookStatements.test(captures["id"], eventID: eventID)).count
        }
    }

    /// `POST /{environment}/hooks/{id}/replay?since=<revision>`: sends the later releases again, with their event ids.
    static func replay(_ request: Request, _ captures: Captures, _ context: HooksContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        guard let since = try request.target.query.integer("since", in: 0...Int64.max) else {
            throw Problem(.invalidParameter, "'since' is missing; expected a revision")
        }
        return try add(.hookReplay, by: caller, request, captures, context, query: ["since"]) { connection in
            try connection.run(HookStatements.replay(since: since, for: captures["id"])).count
        }
    }

    /// `POST /{environment}/hooks/{id}/deliveries/{delivery}/again`: sends a delivery again, with its event id.
    static func again(_ request: Request, _ captures: Captures, _ context: HooksContext) throws -> Response {
        let caller = try context.freshAdministrator(of: request)
        guard let delivery = Int64(captures["delivery"]) else {
            throw Problem(.invalidRequest, "expected the number of a delivery; GET deliveries lists them")
        }
        return try add(.hookReplay, by: caller, request, captures, context) { connection in
            try connection.run(HookStatements.again(delivery, of: captures["id"])).count
        }
    }

    /// Makes deliveries due, and returns their number. Throws if the hook is disabled.
    private static func add(
        _ action: AuditedAction, by caller: Caller, _ request: Request, _ captures: Captures, _ context: HooksContext,
        query: [String] = [], _ deliver: (Connection) throws -> Int
    ) throws -> Response {
        try request.target.query.allow(query)
        try request.accepts("application/json")
        let count = try context.pool.withConnection { connection in
            try connection.change { connection in
                let hook = try HookEndpoints.find(captures["id"], on: connection)
                guard hook.disabledAt == nil else {
                    throw Problem(.hookDisabled, "nothing was sent: the hook is disabled; enable it first")
                }
                try HookEndpoints.record(action, hook.id, caller, connection)
                return try deliver(connection)
            }
        }
        return .uncached(status: 202, JSONWriter.object { $0.member("deliveries", Int64(count)) })
    }
}

extension JSONWriter {
    fileprivate mutating func members(of delivery: DeliveryRecord) {
        func number(_ value: Int?) -> JSONValue { value.map { .number(JSONNumber(Int64($0))) } ?? .null }
        member("id", delivery.id)
        member("event_id", delivery.eventID)
        member("type", delivery.type)
        member("state", delivery.state)
        member("attempts", Int64(delivery.attempts))
        member("status", value: number(delivery.status))
        member("milliseconds", value: number(delivery.milliseconds))
        member("created_at", "\(delivery.createdAt)")
        member("next_attempt_at", value: delivery.nextAttemptAt.map { .string("\($0)") } ?? .null)
    }
}
