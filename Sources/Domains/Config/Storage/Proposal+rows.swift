internal import AlmanacForms
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacProposals
internal import AlmanacTimestamps

extension ProposalState {
    /// The stored name.
    var name: String {
        switch self {
        case .draft: "draft"
        case .open: "open"
        case .applied: "applied"
        case .closed: "closed"
        }
    }

    /// The reason of a closed proposal.
    var reason: Reason? { if case .closed(let reason) = self { reason } else { nil } }

    init(_ row: Row) throws(PostgresFailure) {
        let reason = try row.optionalText("closed_as").flatMap(Reason.init)
        switch try row.text("state") {
        case "draft": self = .draft
        case "open": self = .open
        case "applied": self = .applied
        default: self = .closed(reason ?? .withdrawn)
        }
    }
}

extension VersionPart {
    /// The name in the API.
    var name: String {
        switch self {
        case .patch: "patch"
        case .minor: "minor"
        case .major: "major"
        }
    }

    init?(_ name: String) {
        guard let part = [VersionPart.patch, .minor, .major].first(where: { $0.name == name }) else { return nil }
        self = part
    }
}

extension ReviewPerson {
    /// - Parameter prefix: The beginning of the columns' names.
    init?(_ row: Row, prefix: String = "") throws(PostgresFailure) {
        guard let issuer = try row.optionalText(prefix + "issuer"),
            let subject = try row.optionalText(prefix + "subject")
        else { return nil }
        self.init(issuer: issuer, subject: subject)
    }
}

extension Proposal {
    /// - Parameters:
    ///   - edits: The rows of the edits of this proposal.
    ///   - reviews: The rows of the reviews of this proposal.
    init(_ row: Row, edits: [Row], reviews: [Row]) throws {
        number = try row.bigint("number")
        title = try row.text("title")
        message = try row.text("message")
        state = try ProposalState(row)
        version = try row.bigint("version")
        round = try row.integer("round")
        author = Author(
            try row.text("author"), Author.Kind(rawValue: try row.text("author_kind")) ?? .token,
            tokenID: try row.optionalText("token_id"))
        person = try ReviewPerson(row)
        if let at = try row.optionalTimestamp("apply_at") {
            schedule = Schedule(
                at: at, zone: try row.optionalText("zone") ?? "UTC",
                author: ScheduleAuthor(
                    author: Author(
                        try row.text("apply_author"),
                        Author.Kind(rawValue: try row.text("apply_author_kind")) ?? .token,
                        tokenID: try row.optionalText("apply_token_id")),
                    person: try ReviewPerson(row, prefix: "apply_"),
                    keys: KeySelection(names: try row.textArray("apply_keys"))))
        }
        missedAt = try row.optionalTimestamp("missed_at")
        predecessor = try row.optionalBigint("after_number")
        failure = try row.optionalBytes("failure").map { try JSONValue(parsing: $0, limits: .stored) }
        appliedRevision = try row.optionalBigint("applied_revision")
        createdAt = try row.timestamp("created_at")
        changedAt = try row.timestamp("changed_at")
        self.edits = try edits.map { try ProposalEdit($0) }
        self.reviews = try reviews.map { try StoredReview($0) }
    }
}

extension ProposalEdit {
    fileprivate init(_ row: Row) throws {
        func value(_ column: String) throws -> JSONValue? {
            try row.optionalBytes(column).map { try JSONValue(parsing: $0, limits: .stored) }
        }
        let text = try row.text("path")
        guard let path = PartPath(text) else { throw UnknownPart(path: text) }
        let earlier = try JSONValue(parsing: try row.bytes("earlier_authors"), limits: .stored).arrayValue ?? []
        self.init(
            key: try row.text("key"), path: path, before: try value("before"), after: try value("after"),
            author: ProposalAuthor(
                person: try ReviewPerson(row), name: try row.text("author"), tokenID: try row.optionalText("token_id")),
            earlierAuthors: earlier.map { ProposalAuthor($0.objectValue ?? JSONObject()) },
            round: try row.integer("round"))
    }

    /// A stored path that no version of this program wrote.
    private struct UnknownPart: Error { let path: String }
}

extension ProposalAuthor {
    /// The author as stored beside an edit that somebody else kept.
    var json: JSONValue {
        .object(
            JSONObject([
                ("issuer", person.map { .string($0.issuer) } ?? .null),
                ("subject", person.map { .string($0.subject) } ?? .null), ("name", .string(name)),
                ("token_id", tokenID.map { .string($0) } ?? .null),
            ]))
    }

    fileprivate init(_ stored: JSONObject) {
        let (issuer, subject) = (stored["issuer"]?.stringValue, stored["subject"]?.stringValue)
        let person = issuer.flatMap { issuer in subject.map { ReviewPerson(issuer: issuer, subject: $0) } }
        self.init(
            person: person, name: stored["name"]?.stringValue ?? "", tokenID: stored["token_id"]?.stringValue)
    }
}

extension Proposal.StoredReview {
    fileprivate init(_ row: Row) throws {
        let scopes = try row.optionalTextArray("scopes") ?? []
        let keys = KeySelection(names: try row.textArray("keys"))
            .intersection(scopes.compactMap(Scope.init(rawValue:)).approvableKeys)
        let isMaker = try row.boolean("is_maker")
        withdrawnAt = try row.optionalTimestamp("withdrawn_at")
        review = ProposalReview(
            id: try row.bigint("id"), verdict: ProposalReview.Verdict(rawValue: try row.text("verdict")) ?? .comment,
            reviewer: ReviewPerson(issuer: try row.text("issuer"), subject: try row.text("subject")),
            keys: isMaker ? .some([]) : keys, round: try row.integer("round"),
            effect: try row.text("effect"), part: try row.optionalText("part").flatMap(VersionPart.init) ?? .patch,
            isWithdrawn: withdrawnAt != nil)
        message = try row.text("message")
        reviewerName = try row.text("reviewer")
        reviewedAt = try row.timestamp("reviewed_at")
    }
}
