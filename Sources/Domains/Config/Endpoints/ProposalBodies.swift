internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacProposals
internal import AlmanacTimestamps

/// The body of `PATCH /{environment}/proposals/{number}`. A missing member changes nothing.
struct ProposalChange {
    private let title: String?
    private let message: String?
    private let edits: [(key: String, path: PartPath, after: JSONValue?)]?
    /// The time to set; an inner nil removes the time.
    private let schedule: Timestamp??
    private let zone: String?
    private let predecessor: Int64??

    static let maxMessageBytes = 16_384

    init(_ request: Request, _ context: ConfigContext) throws {
        try request.contains("application/json", "application/merge-patch+json")
        let object = try ConfigBody.read(request, context.service).members(
            ["title", "message", "edits", "apply_at", "zone", "after_proposal"])
        title = try Self.text(object, "title", maxBytes: ReleaseMessage.maxBytes)
        if let title, title.isEmpty || !ReleaseMessage.isValid(title) {
            throw Problem(.invalidValue, "'title' must be \(ReleaseMessage.form), and not empty")
        }
        message = try Self.text(object, "message", maxBytes: Self.maxMessageBytes)
        zone = try Self.text(object, "zone", maxBytes: 100)
        schedule = try object["apply_at"].map { member throws(Problem) in
            if member == .null { return nil }
            guard let time = member.stringValue.flatMap({ Timestamp($0) }) else {
                throw Problem(
                    .invalidValue,
                    "'apply_at' must be a time with an offset, such as 2026-12-01T09:00:00+01:00, or null")
            }
            return time
        }
        predecessor = try object["after_proposal"].map { member throws(Problem) in
            if member == .null { return nil }
            guard let number = member.numberValue?.int64, number > 0 else {
                throw Problem(.invalidValue, "'after_proposal' must be the number of a proposal, or null")
            }
            return number
        }
        edits = try object["edits"].map { try Self.edits($0) }
    }

    /// Reads a text member; returns nil if it is missing.
    static func text(_ object: JSONObject, _ name: String, maxBytes: Int) throws(Problem) -> String? {
        guard let member = object[name] else { return nil }
        guard let text = member.stringValue, text.utf8.count <= maxBytes else {
            throw Problem(.invalidValue, "'\(name)' must be a text of at most \(maxBytes) bytes")
        }
        try WrittenSecret.refuse(in: text, of: "'\(name)'", .invalidValue)
        return text
    }

    private static func edits(_ value: JSONValue) throws -> [(key: String, path: PartPath, after: JSONValue?)] {
        guard let elements = value.arrayValue, !elements.isEmpty else {
            throw Problem(.invalidValue, "'edits' must be an array of objects with key, path and after; at least one")
        }
        guard elements.count <= Proposal.maxEdits else { throw ProposalRefusal.tooManyEdits(elements.count) }
        var seen: Set<[UInt8]> = []
        return try elements.map { element in
            let object = try element.members(["key", "path", "after", "before", "author", "round"])
            guard let key = object["key"]?.stringValue, EntryKey.isValid(key) else {
                throw Problem(.invalidValue, "'key' of an edit must be a text of the form \(EntryKey.form)")
            }
            guard let text = object["path"]?.stringValue, let path = PartPath(text) else {
                throw ProposalRefusal.invalidEdit(
                    key: key, path: object["path"]?.description ?? "",
                    "'path' must be empty, description, kind, state, defaultVariant, targeting, variants/<name> or "
                        + "metadata/<name>, at most \(PartPath.maxBytes) bytes")
            }
            guard seen.insert(EditIndex.place(key, path)).inserted else {
                throw ProposalRefusal.invalidEdit(key: key, path: text, "the part is edited twice")
            }
            let after = object["after"] == .null ? nil : object["after"]
            if let reason = Self.fault(of: after, at: path) {
                throw ProposalRefusal.invalidEdit(key: key, path: text, reason)
            }
            return (key, path, after)
        }
    }

    /// Returns why a part cannot have a value; nil if it can.
    private static func fault(of after: JSONValue?, at path: PartPath) -> String? {
        switch path {
        case .description:
            guard let text = after?.stringValue, text.utf8.count <= Entry.maxDescriptionBytes else {
                return "'after' must be a text of at most \(Entry.maxDescriptionBytes) bytes"
            }
        case .kind:
            guard after?.stringValue.flatMap(EntryState.Kind.init) != nil else {
                return "'after' must be value or flag"
            }
        case .whole, .member, .part: break
        }
        return nil
    }

    /// Throws if there is no such time zone, because no page could show the time then.
    func checkZone(on pool: Pool) throws {
        guard let zone else { return }
        let isKnown = try pool.withConnection { connection in
            try connection.run(ProposalStatements.isZone(zone)).single("pg_timezone_names").boolean("is_known")
        }
        if !isKnown {
            throw Problem(.invalidValue, "'zone' must be the name of a time zone, such as Europe/Berlin or UTC")
        }
    }

    /// Changes a proposal.
    ///
    /// - Parameter now: The time in milliseconds since 1970.
    func apply(
        to proposal: inout Proposal, _ reader: ProposalReader, by writer: ProposalWriter, now: Int64
    ) throws {
        proposal.title = title ?? proposal.title
        proposal.message = message ?? proposal.message
        var beginsRound = try setSchedule(of: &proposal, by: writer, now)
        if let predecessor, predecessor != proposal.predecessor {
            if let predecessor { try reader.checkPredecessor(predecessor, of: proposal.number) }
            proposal.predecessor = predecessor
            beginsRound = true
        }
        if let edits {
            let present = try reader.present(of: edits.map(\.key))
            let (old, known) = (proposal.edits, EditIndex(proposal.edits))
            let round = proposal.round + 1
            proposal.edits = try edits.flatMap { edit in
                if let kept = known[edit.key, edit.path], kept.after == edit.after { return [kept] }
                return try Self.edits(edit, present[edit.key], by: writer.editAuthor, round: round)
            }
            var places: Set<[UInt8]> = []
            for edit in proposal.edits where !places.insert(EditIndex.place(edit.key, edit.path)).inserted {
                throw ProposalRefusal.invalidEdit(
                    key: edit.key, path: edit.path.text, "the part is edited twice, also by the whole value")
            }
            proposal.edits.sort(by: ProposalEdit.precedes)
            beginsRound = beginsRound || proposal.edits != old.sorted(by: ProposalEdit.precedes)
            if proposal.edits.isEmpty { throw ProposalRefusal.empty }
        }
        if beginsRound {
            proposal.round += 1
            proposal.failure = nil
        }
    }

    /// Returns the edits that set a part of an entry. A whole value of a flag becomes edits of its parts.
    private static func edits(
        _ edit: (key: String, path: PartPath, after: JSONValue?), _ present: EntryState?, by author: ProposalAuthor,
        round: Int
    ) throws -> [ProposalEdit] {
        if edit.path == .whole, let value = edit.after, let present, present.kind != .value {
            var after = present
            after.value = value
            return ProposalEdit.edits(of: edit.key, from: present, to: after, by: author, round: round)
        }
        let before = present?.value(at: edit.path)
        guard before != edit.after else { return [] }
        return [
            ProposalEdit(
                key: edit.key, path: edit.path, before: before, after: edit.after, author: author, round: round)
        ]
    }

    /// Sets the time. Returns true if it changed.
    private func setSchedule(of proposal: inout Proposal, by writer: ProposalWriter, _ now: Int64) throws -> Bool {
        let old = proposal.schedule
        if let schedule {
            if let time = schedule, time.milliseconds <= now {
                throw Problem(.invalidValue, "'apply_at' must be in the future")
            }
            proposal.schedule = schedule.map { time in
                Proposal.Schedule(
                    at: time, zone: zone ?? old?.zone ?? "UTC", author: old?.author ?? writer.scheduleAuthor)
            }
            if schedule == nil, proposal.missedAt != nil {
                proposal.missedAt = nil
                return true
            }
        } else if let zone, let old {
            proposal.schedule = Proposal.Schedule(at: old.at, zone: zone, author: old.author)
        }
        guard proposal.schedule?.at != old?.at else { return false }
        proposal.missedAt = nil
        return true
    }
}

/// The body of `POST /{environment}/proposals/{number}/rebase`: `{"keep": {"<key>/<path>": "mine"}}`.
struct RebaseChoices {
    let choices: [String: [PartPath: Rebase.Choice]]

    init(_ request: Request, _ context: ConfigContext) throws {
        try request.contains("application/json")
        let object = try request.json(context.service.settings.limits.json).members(["keep"])
        var choices: [String: [PartPath: Rebase.Choice]] = [:]
        guard let keep = (object["keep"] ?? .object(JSONObject())).objectValue else {
            throw Problem(.invalidValue, "'keep' must be an object with \"mine\" or \"theirs\" for each key/path")
        }
        for member in keep.members {
            let parts = member.name.unicodeScalars.split(
                separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            let path = PartPath(parts.count == 2 ? String(parts[1]) : "")
            guard let path, let choice = member.value.stringValue.flatMap(Rebase.Choice.init) else {
                throw Problem(
                    .invalidValue, "'\(member.name)' in 'keep' must be key/path, with \"mine\" or \"theirs\"")
            }
            choices[String(parts[0]), default: [:]][path] = choice
        }
        self.choices = choices
    }
}
