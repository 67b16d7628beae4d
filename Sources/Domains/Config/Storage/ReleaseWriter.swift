internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacIdentity
internal import AlmanacPostgreSQL
internal import AlmanacProposals

/// The writer of releases. Each release locks the head in a transaction, so revisions have no gaps and commit in order.
struct ReleaseWriter {
    let pool: Pool
    let limits: Limits
    /// The approvals that releases need; nil if they need none.
    var policy: ApprovalPolicy?

    /// The author, message and precondition of a release.
    struct Intent {
        var kind = Release.Kind.change
        /// The subject of a release without edits: a revision, a key or a major.
        var subject = ""
        let author: Author
        /// The keys that the author may change.
        let keys: KeySelection
        var message: String
        let precondition: Precondition
        /// The part of the config that is written, if its own tag also counts as a condition.
        var part: PartTag.Subject?
        /// True if flags that cannot be evaluated are accepted too.
        var isLenient = false
        /// The approved proposal that the release applies.
        var proposal: Int64?
        /// The reason to make the release without approvals.
        var bypassReason: String?
        /// The firing alerts that cause the release, for the audit log; nil for none.
        var alert: String?
        /// True if the author may switch off the flags of `keys` without approvals, whatever the policy exempts.
        var mayDisable = false
        /// The reason why the release needs no approvals.
        fileprivate(set) var exemption: ApprovalPolicy.Exemption?
    }

    /// The effect of a release. Without entries, nothing changed and there is no new revision.
    struct Outcome {
        let head: Head
        let entries: [Entry]
        /// True if the release added an entry.
        var addsEntry = false
    }

    /// Makes the release of a write.
    func release(_ intent: Intent, _ write: ConfigWrite) throws -> Outcome {
        try check(write.keys, intent)
        return try release(intent, keys: write.keys) { current, head, _ in try write.edits(of: current, at: head) }
    }

    /// A function that computes edits from the newest live rows of their keys.
    typealias Edits = (_ current: [String: Entry], _ head: Head, _ connection: Connection) throws -> [EntryEdit]

    /// Makes a release of edits, which are computed while the head is locked.
    ///
    /// - Parameter keys: The keys that the edits may change; nil for all.
    func release(_ intent: Intent, keys: [String]?, edits: Edits) throws -> Outcome {
        try pool.withConnection { connection in
            try connection.change { connection in
                let head = try lock(intent, on: connection)
                let plan = try plan(intent, keys, edits, at: head, on: connection).plan
                guard !plan.changes.isEmpty else { return Outcome(head: head, entries: []) }
                var intent = intent
                intent.exemption = try exemption(of: plan, intent, on: connection)
                return try write(plan, intent, on: connection)
            }
        }
    }

    /// Plans a release of edits, and refuses a release that is not allowed.
    ///
    /// - Returns: The plan, and the effect on the flags (nil if none changes).
    func plan(
        _ intent: Intent, _ keys: [String]?, _ edits: Edits, at head: Head, on connection: Connection
    ) throws -> (plan: ReleasePlan, flags: FlagPlan?) {
        var rows = try connection.run(keys.map(EntryStatements.rows) ?? Call(EntryStatements.allLive)).map {
            try Entry($0)
        }
        let majors = try connection.run(MajorStatements.all).map { try Major($0) }
            .filter { $0.retiredAt == nil }.map(\.newest.major)
        let live = rows.filter { $0.isNewest && !$0.isTombstone }
        let edits = try edits(Dictionary(uniqueKeysWithValues: live.map { ($0.key, $0) }), head, connection)
        if keys == nil { rows = try connection.run(EntryStatements.rows(of: edits.map(\.key))).map { try Entry($0) } }
        func planned(withholding withheld: ReleasePlan.Withheld = [:]) throws -> ReleasePlan {
            try ReleasePlan(
                edits, rows: rows, version: head.version, oldestMajor: majors.min(), withheld: withheld)
        }
        var plan = try planned()
        try check(plan.changes.map(\.key), intent)
        try check(plan, on: connection)
        var flags: FlagPlan?
        if plan.touchesFlags {
            (plan, flags) = try withFlags(plan, intent, majors, on: connection) { try planned(withholding: $0) }
        }
        return (plan, flags)
    }

    /// Locks the head for the rest of the transaction and checks the precondition.
    func lock(_ intent: Intent, on connection: Connection) throws -> Head {
        let head = try HeadStatements.lockHead(on: connection)
        try check(intent, at: head, on: connection)
        return head
    }

    /// Checks the precondition against the state that the connection sees.
    func check(_ intent: Intent, at head: Head, on connection: Connection) throws {
        guard !intent.precondition.isEmpty else { return }
        var tag: PartTag?
        switch intent.part {
        case .entry(let key):
            let row = try connection.run(EntryStatements.newest(of: [key])).first
            tag = try row.map { PartTag(of: try Entry($0), in: head) }
        case .flags: tag = PartTag(ofFlags: try connection.run(EntryStatements.flags).map { try Entry($0) }, in: head)
        case nil: break
        }
        try intent.precondition.check(head, part: tag)
    }

    /// Assigns the next revision and stores the release.
    func advance(
        to version: SemanticVersion, rewritesRows: Bool, _ intent: Intent, on connection: Connection
    ) throws -> Head {
        let head = try Head(
            try connection.run(HeadStatements.advance(to: version, rewritesRows: rewritesRows)).single("config_head"))
        let release = Release(
            revision: head.revision, version: version, releasedAt: head.updatedAt, kind: intent.kind,
            author: intent.author.name, message: intent.message)
        _ = try connection.run(together: [
            HistoryStatements.insert(release, intent), MajorStatements.upsert(version, releasedAt: head.revision),
        ])
        return head
    }

    /// Refuses a change if any of the keys is not the author's to change.
    func check(_ keys: [String], _ intent: Intent) throws(ConfigRefusal) {
        let others = keys.filter { !intent.keys.includes($0) }
        guard others.isEmpty else { throw .keysOutOfScope(others, allowed: intent.keys.names) }
    }

    private func check(_ plan: ReleasePlan, on connection: Connection) throws {
        for write in plan.inserts + plan.updates {
            let bytes = write.value?.count ?? 0
            let limit =
                write.kind == .flagSet ? max(limits.flagSetBytes, limits.valueBytes) : limits.valueBytes
            guard bytes <= limit else {
                throw ConfigRefusal.valueTooLarge(write.key, bytes: bytes, limit: limit)
            }
        }
        guard plan.growth > 0 else { return }
        let count = try connection.run(EntryStatements.count).single("config_entries").integer("entries")
        guard count + plan.growth <= limits.entries else {
            throw ConfigRefusal.tooManyEntries(count + plan.growth, limit: limits.entries)
        }
    }

    /// Stores a planned release.
    func write(_ plan: ReleasePlan, _ intent: Intent, on connection: Connection) throws -> Outcome {
        let head = try advance(to: plan.version, rewritesRows: plan.rewritesRows, intent, on: connection)
        // No two rows of a key may share a major, not even between the statements.
        if !plan.deleted.isEmpty { try connection.run(EntryStatements.delete(plan.deleted)) }
        if !plan.shrunk.isEmpty { try connection.run(EntryStatements.resize(plan.shrunk)) }
        if !plan.grown.isEmpty { try connection.run(EntryStatements.resize(plan.grown)) }
        if !plan.copies.isEmpty { try connection.run(EntryStatements.copy(plan.copies)) }
        if !plan.updates.isEmpty { try connection.run(EntryStatements.update(plan.updates, in: head)) }
        if !plan.inserts.isEmpty { try connection.run(EntryStatements.insert(plan.inserts, in: head)) }
        let rows = try connection.run(together: [
            HistoryStatements.insertChanges(of: plan, in: head.revision),
            EntryStatements.newest(of: plan.changes.map(\.key)),
        ])
        return Outcome(
            head: head, entries: try rows[1].map { try Entry($0) }.sorted { $0.precedes($1) },
            addsEntry: plan.changes.contains { $0.before == nil })
    }
}
