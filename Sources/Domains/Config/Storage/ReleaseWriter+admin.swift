internal import AlmanacEnvironments
internal import AlmanacJSON
internal import AlmanacPostgreSQL

extension ReleaseWriter {
    /// Erases a key's values from every major and from the history, for a leaked secret.
    ///
    /// The history keeps the key, and the author and time of the purge.
    func purge(_ key: String, _ intent: Intent) throws -> Outcome {
        try checkBypass(intent)
        return try pool.withConnection { connection in
            try connection.change { connection in
                let before = try lock(intent, on: connection)
                let known = try connection.run(HistoryStatements.isKnown(key: key)).single("config_changes")
                guard try known.boolean("is_known") else { throw ConfigRefusal.entryNeverExisted(key) }
                let newest = try connection.run(EntryStatements.newest(of: [key])).map { try Entry($0) }
                let isLive = newest.contains { !$0.isTombstone }
                let version = before.version.bumped(by: isLive ? .major : .patch)
                let head = try advance(to: version, rewritesRows: true, intent, on: connection)
                try connection.run(EntryStatements.delete(key: key))
                try connection.run(HistoryStatements.purge(key: key))
                try connection.run(ProposalStatements.purge(key: key))
                let purged = try connection.run(HistoryStatements.insertPurge(of: key, in: head.revision))
                let tombstone = ReleasePlan.RowWrite(
                    key: key, majors: MajorRange(first: 1), value: nil, description: "",
                    kind: try purged.single("config_changes").entryKind("kind"))
                try connection.run(EntryStatements.insert([tombstone], in: head))
                let rows = try connection.run(EntryStatements.newest(of: [key]))
                return Outcome(head: head, entries: try rows.map { try Entry($0) })
            }
        }
    }

    /// Retires a major: it is no longer served, and values that only this major saw are deleted.
    func retire(major: Int, _ intent: Intent) throws -> Outcome {
        try checkBypass(intent)
        return try pool.withConnection { connection in
            try connection.change { connection in
                let before = try lock(intent, on: connection)
                let majors = try connection.run(MajorStatements.all).map { try Major($0) }
                guard let known = majors.first(where: { $0.newest.major == major }) else {
                    throw ConfigRefusal.majorNotFound(major)
                }
                guard known.retiredAt == nil else { throw ConfigRefusal.majorRetired(major) }
                guard major != before.version.major else { throw ConfigRefusal.majorInUse(major) }
                try connection.run(MajorStatements.retire(major: major))
                try connection.run(EntryStatements.deleteUnseen)
                let head = try advance(
                    to: before.version.bumped(by: .patch), rewritesRows: true, intent, on: connection)
                return Outcome(head: head, entries: [])
            }
        }
    }

    /// Restores the config of a past revision in a new release.
    func restore(_ revision: Int64, _ intent: Intent) throws -> Outcome {
        try release(intent, keys: nil, edits: Self.restoring(revision))
    }

    /// Returns the edits that restore the config of a past revision.
    static func restoring(_ revision: Int64) -> Edits {
        { current, head, connection in
            guard revision >= 1, revision <= head.revision else {
                throw ConfigRefusal.releaseInFuture(revision, newest: head.revision)
            }
            guard revision >= head.oldestRevision else {
                throw ConfigRefusal.revisionTrimmed(oldest: head.oldestRevision)
            }
            let entries = try ConfigHistory.entries(at: revision, on: connection)
            let kept = Set(entries.map(\.key))
            let removals = current.keys.filter { !kept.contains($0) }.sorted().map {
                EntryEdit(key: $0, value: nil, description: nil)
            }
            return try entries.map { entry in
                EntryEdit(
                    key: entry.key, value: try entry.value.map { try JSONValue(parsing: $0, limits: .stored) },
                    description: entry.description, kind: entry.kind)
            } + removals
        }
    }
}
