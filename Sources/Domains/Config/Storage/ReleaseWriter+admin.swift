internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPostgreSQL

extension ReleaseWriter {
    /// Takes a key's values out of every major and out of the history, for a secret that leaked.
    ///
    /// The history still tells that there was a key, and who purged it when.
    func purge(_ key: String, _ intent: Intent) throws -> Outcome {
        try pool.withConnection { connection in
            try connection.transaction { connection in
                let before = try lock(intent.precondition, on: connection)
                let known = try connection.run(HistoryStatements.isKnown, .text(key)).single("config_changes")
                guard try known.boolean("is_known") else {
                    throw Problem(.entryNotFound, "there has never been an entry '\(key)'")
                }
                let newest = try connection.run(EntryStatements.newest, .textArray([key])).map { try Entry($0) }
                let isLive = newest.contains { !$0.isTombstone }
                let version = before.version.bumped(by: isLive ? .major : .patch)
                let head = try advance(to: version, rewritesRows: true, intent, on: connection)
                try connection.run(EntryStatements.deleteKey, .text(key))
                try connection.run(HistoryStatements.purge, .text(key))
                try connection.run(HistoryStatements.insertPurge, .bigint(head.revision), .text(key))
                try connection.run(
                    EntryStatements.insert, .textArray([key]), .integerArray([1]), .textArray([nil]), .textArray([""]),
                    .bigint(head.revision), .timestamp(head.updatedAt))
                let rows = try connection.run(EntryStatements.newest, .textArray([key]))
                return Outcome(head: head, entries: try rows.map { try Entry($0) })
            }
        }
    }

    /// Ends a major: it is no longer served, and values that only it saw are dropped.
    func retire(major: Int, _ intent: Intent) throws -> Outcome {
        try pool.withConnection { connection in
            try connection.transaction { connection in
                let before = try lock(intent.precondition, on: connection)
                let majors = try connection.run(MajorStatements.all).map { try Major($0) }
                guard let known = majors.first(where: { $0.newest.major == major }) else {
                    throw Problem(.majorNotFound, "the environment has not released major version \(major)")
                }
                guard known.retiredAt == nil else {
                    throw Problem(.majorRetired, "major version \(major) has been retired already")
                }
                guard major != before.version.major else {
                    throw Problem(.majorInUse, "major version \(major) is the newest; release another one first")
                }
                try connection.run(MajorStatements.retire, .integer(Int32(major)))
                try connection.run(EntryStatements.deleteUnseen)
                let head = try advance(
                    to: before.version.bumped(by: .patch), rewritesRows: true, intent, on: connection)
                return Outcome(head: head, entries: [])
            }
        }
    }

    /// Makes the config what it was at a revision, as a new release.
    func restore(_ revision: Int64, _ intent: Intent) throws -> Outcome {
        try release(intent, keys: nil) { current, head, connection in
            guard revision >= 1, revision <= head.revision else {
                throw Problem(.releaseNotFound, "there is no release \(revision); the newest is \(head.revision)")
            }
            guard revision >= head.oldestRevision else {
                throw Problem(.revisionNotKept, "the history begins at revision \(head.oldestRevision)")
            }
            let past = try Past.entries(at: revision, major: .max, on: connection)
            let kept = Set(past.map(\.key))
            let removals = current.keys.filter { !kept.contains($0) }.sorted().map {
                Wish(key: $0, value: nil, description: nil)
            }
            return try past.map {
                Wish(key: $0.key, value: try .init(parsing: $0.value, limits: .stored), description: $0.description)
            } + removals
        }
    }
}
