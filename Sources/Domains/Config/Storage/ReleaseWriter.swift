internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPostgreSQL

/// Makes releases: one transaction each, which first locks the head, so that revisions have no gaps and commit in order.
struct ReleaseWriter {
    let pool: Pool
    let limits: Limits

    /// Who makes a release, why, and on what condition.
    struct Intent {
        var kind = Release.Kind.change
        let author: String
        let message: String
        let precondition: Precondition
    }

    /// What a release did. Without entries it changed nothing, and there is no new revision.
    struct Outcome {
        let head: Head
        let entries: [Entry]
    }

    /// What a write wants a key's value to be.
    struct Wish {
        let key: String
        /// Nil removes the key.
        let value: JSONValue?
        /// Nil keeps the description there is.
        let description: String?
    }

    /// Makes the release that fulfils wishes about some keys.
    ///
    /// - Parameters:
    ///   - keys: the keys that wishes may be about; nil for all.
    ///   - wishes: worked out with the head locked, from the newest rows of those keys; tombstones are not among them.
    func release(
        _ intent: Intent, keys: [String]?,
        wishes: (_ current: [String: Entry], _ head: Head, _ connection: Connection) throws -> [Wish]
    ) throws -> Outcome {
        try pool.withConnection { connection in
            try connection.transaction { connection in
                let head = try lock(intent.precondition, on: connection)
                let rows =
                    if let keys {
                        try connection.run(EntryStatements.newest, .textArray(keys))
                    } else {
                        try connection.run(EntryStatements.allNewest)
                    }
                let newest = Dictionary(
                    uniqueKeysWithValues: try rows.map { row in
                        let entry = try Entry(row)
                        return (entry.key, entry)
                    })
                let wishes = try wishes(newest.filter { !$0.value.isTombstone }, head, connection)
                let plan = try ReleasePlan(wishes, newest: newest, version: head.version)
                guard !plan.changes.isEmpty else { return Outcome(head: head, entries: []) }
                try check(plan, on: connection)
                return try write(plan, intent, on: connection)
            }
        }
    }

    /// Locks the head for the rest of the transaction and holds a precondition against it.
    func lock(_ precondition: Precondition, on connection: Connection) throws -> Head {
        let head = try Head(try connection.run(HeadStatements.lock).single("config_head"))
        try precondition.check(head)
        return head
    }

    /// Takes the next revision and writes the release down.
    func advance(
        to version: SemanticVersion, rewritesRows: Bool, _ intent: Intent, on connection: Connection
    ) throws -> Head {
        let head = try Head(
            try connection.run(
                HeadStatements.advance, .integer(Int32(version.major)), .integer(Int32(version.minor)),
                .integer(Int32(version.patch)), .boolean(rewritesRows)
            ).single("config_head"))
        try connection.run(
            HistoryStatements.insertRelease, .bigint(head.revision), .integer(Int32(version.major)),
            .integer(Int32(version.minor)), .integer(Int32(version.patch)), .timestamp(head.updatedAt),
            .text(intent.kind.rawValue), .text(intent.author), .text(intent.message))
        try connection.run(
            MajorStatements.upsert, .integer(Int32(version.major)), .integer(Int32(version.minor)),
            .integer(Int32(version.patch)), .bigint(head.revision))
        return head
    }

    private func check(_ plan: ReleasePlan, on connection: Connection) throws {
        for write in plan.inserts + plan.updates {
            guard (write.value?.count ?? 0) <= limits.valueBytes else {
                throw Problem(
                    .limitExceeded,
                    "the value of '\(write.key)' has \(write.value!.count) bytes; at most \(limits.valueBytes) are taken"
                )
            }
        }
        guard plan.growth > 0 else { return }
        let count = try connection.run(EntryStatements.count).single("config_entries").integer("entries")
        guard count + plan.growth <= limits.entries else {
            throw Problem(
                .limitExceeded, "there would be \(count + plan.growth) entries; at most \(limits.entries) are taken")
        }
    }

    private func write(_ plan: ReleasePlan, _ intent: Intent, on connection: Connection) throws -> Outcome {
        let head = try advance(to: plan.version, rewritesRows: !plan.closes.isEmpty, intent, on: connection)
        if !plan.closes.isEmpty {
            try connection.run(
                EntryStatements.close, .textArray(plan.closes.map(\.key)),
                .integerArray(plan.closes.map { Int32($0.major) }))
        }
        if !plan.updates.isEmpty {
            try connection.run(
                EntryStatements.update, .textArray(plan.updates.map(\.key)), .textArray(plan.updates.map(\.text)),
                .textArray(plan.updates.map(\.description)), .bigint(head.revision), .timestamp(head.updatedAt))
        }
        if !plan.inserts.isEmpty {
            try connection.run(
                EntryStatements.insert, .textArray(plan.inserts.map(\.key)),
                .integerArray(plan.inserts.map { Int32($0.firstMajor) }), .textArray(plan.inserts.map(\.text)),
                .textArray(plan.inserts.map(\.description)), .bigint(head.revision), .timestamp(head.updatedAt))
        }
        try connection.run(
            HistoryStatements.insertChanges, .bigint(head.revision), .textArray(plan.changes.map(\.key)),
            .textArray(plan.changes.map { $0.before.map { String(decoding: $0.serialized(), as: UTF8.self) } }),
            .textArray(plan.changes.map { $0.after.map { String(decoding: $0.serialized(), as: UTF8.self) } }),
            .textArray(plan.changes.map(\.description)), .integerArray(plan.firstMajors.map { Int32($0) }))
        let rows = try connection.run(EntryStatements.newest, .textArray(plan.changes.map(\.key)))
        return Outcome(head: head, entries: try rows.map { try Entry($0) }.sorted { $0.precedes($1) })
    }
}
