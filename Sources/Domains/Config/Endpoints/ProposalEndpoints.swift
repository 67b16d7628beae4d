internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacProposals
internal import AlmanacTimestamps

/// The calls that make, read and change proposals.
enum ProposalEndpoints {
    /// The parameters by which a write makes a proposal.
    static let parameters = ["propose", "after_proposal"]

    /// Makes a proposal instead of a release, for a write with `propose=true`.
    static func create(
        _ request: Request, _ intent: ReleaseWriter.Intent, _ context: ConfigContext, keys: [String]?,
        edits: ReleaseWriter.Edits
    ) throws -> Response {
        let caller = try context.proposer(of: request)
        let query = request.target.query
        if try query.boolean("dry_run") {
            throw Problem(.invalidParameter, "'propose' and 'dry_run' exclude each other")
        }
        let predecessor = try query.integer("after_proposal", in: 1...Int64.max)
        let proposal = try context.proposals(by: caller).create(
            intent, keys: keys, after: predecessor, edits: edits)
        context.service.announce(proposal)
        return try answer(
            proposal, request, context, status: 201, location: "/\(context.service.settings.name)/proposals/")
    }

    /// Handles `GET /{environment}/proposals`: lists proposals, newest first, without values, reviews and forecasts.
    static func list(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        _ = try context.caller(of: request, with: .configRead)
        let query = request.target.query
        try query.allow("state", "key", "author", "before", "limit")
        try request.accepts("application/json")
        let states = ["draft", "open", "applied", "closed"]
        if let state = query["state"], !states.contains(state) {
            throw Problem(.invalidParameter, "'state' must be one of \(states.joined(separator: ", "))")
        }
        let page = ProposalQuery(
            limit: try query.integer("limit", in: 1...100) ?? 50,
            before: try query.integer("before", in: 1...Int64.max) ?? .max, state: query["state"], key: query["key"],
            author: query["author"])
        var writer = JSONWriter()
        var reserved = 0
        try context.view(reserving: request.memory.reserve) { reader, head in
            try writer.array { writer in
                try reader.forEach(of: page) { proposal in
                    // The proposals are in memory one after another, so the largest one counts.
                    let memory = proposal.memory
                    try request.memory.reserve(max(0, memory - reserved))
                    reserved = max(reserved, memory)
                    let outlook = try reader.outlook(of: proposal, at: head, forecasts: false)
                    writer.object { $0.summary(of: proposal, outlook, context) }
                }
            }
        }
        return .uncached(writer.bytes)
    }

    /// Handles `GET /{environment}/proposals/{number}`: returns a proposal with its forecast.
    static func read(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        _ = try context.caller(of: request, with: .configRead)
        try request.target.query.allow()
        try request.accepts("application/json")
        let number = try number(captures)
        return try answer(
            try context.view(reserving: request.memory.reserve) { reader, _ in try reader.proposal(number) }, request,
            context)
    }

    /// Handles `PATCH /{environment}/proposals/{number}`: changes the title, the message, the time or the edits.
    static func change(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        let caller = try context.proposer(of: request)
        let number = try number(captures)
        let change = try ProposalChange(request, context)
        try change.checkZone(on: context.service.pool)
        let proposals = context.proposals(by: caller)
        return try step(.edit, .proposalChange, request, number, proposals, context) { proposal, reader, _ in
            try change.apply(to: &proposal, reader, by: proposals, now: context.service.now())
        }
    }

    /// Handles `POST /{environment}/proposals/{number}/submit`.
    static func submit(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        try step(.submit, .proposalSubmit, request, captures, context)
    }

    /// Handles `POST /{environment}/proposals/{number}/recall`: makes an open proposal a draft again.
    static func recall(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        try step(.recall, .proposalRecall, request, captures, context)
    }

    /// Handles `POST /{environment}/proposals/{number}/withdraw`: closes a proposal.
    static func withdraw(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        try step(.close(.withdrawn), .proposalWithdraw, request, captures, context)
    }

    private static func step(
        _ step: ProposalState.Step, _ action: AuditedAction, _ request: Request, _ captures: Captures,
        _ context: ConfigContext
    ) throws -> Response {
        let caller = try context.proposer(of: request)
        return try Self.step(step, action, request, try number(captures), context.proposals(by: caller), context)
    }

    private static func step(
        _ step: ProposalState.Step, _ action: AuditedAction, _ request: Request, _ number: Int64,
        _ proposals: ProposalWriter, _ context: ConfigContext,
        _ change: (inout Proposal, ProposalReader, Head) throws -> Void = { _, _, _ in }
    ) throws -> Response {
        try request.target.query.allow()
        try request.accepts("application/json")
        guard let tag = try requiredTag(request).map({ Int64($0) }) ?? nil else {
            throw Problem(.preconditionFailed, "If-Match must name the version of the proposal, such as \"3\"")
        }
        let proposal = try proposals.step(number, version: tag, step, action, change: change)
        context.service.announce(proposal)
        return try answer(proposal, request, context)
    }

    /// Handles `POST /{environment}/proposals/{number}/rebase`: makes the edits fit the present config. With
    /// `dry_run=true`, returns the proposal as it would be.
    static func rebase(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        let proposals = context.proposals(by: try context.proposer(of: request))
        let number = try number(captures)
        try request.target.query.allow("dry_run")
        try request.accepts("application/json")
        let choices = try RebaseChoices(request, context)
        func rebase(_ proposal: inout Proposal, _ reader: ProposalReader, _: Head) throws {
            let present = try reader.present(of: proposal.edits.map(\.key))
            let rebase: Rebase
            do {
                rebase = try Rebase(
                    proposal.edits, on: present, choices: choices.choices, by: proposals.editAuthor,
                    round: proposal.round + 1)
            } catch { throw ProposalRefusal.conflicted(error.conflicts) }
            guard rebase.changesEdits else { return }
            guard !rebase.edits.isEmpty else { throw ProposalRefusal.empty }
            proposal.edits = rebase.edits
            proposal.round += 1
            proposal.failure = nil
        }
        if try request.target.query.boolean("dry_run") {
            let proposal = try context.view(reserving: request.memory.reserve) { reader, head in
                var proposal = try reader.proposal(number)
                try rebase(&proposal, reader, head)
                return proposal
            }
            return try answer(proposal, request, context)
        }
        let proposal = try proposals.step(number, version: nil, .edit, .proposalRebase, change: rebase)
        context.service.announce(proposal)
        return try answer(proposal, request, context)
    }

    /// Handles `POST /{environment}/proposals/{number}/apply`: makes the release. With `bypass=true` and a reason, also
    /// without approvals.
    static func apply(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        let caller = try context.writer(of: request)
        let number = try number(captures)
        try request.target.query.allow("bypass")
        var intent = ReleaseWriter.Intent(
            author: caller.author, keys: try caller.needsChangeableKeys(), message: "", precondition: .none)
        if try request.target.query.boolean("bypass") {
            try context.needsBypass(caller)
            let object = try request.json(context.service.settings.limits.json).members(["reason"])
            guard let reason = object["reason"]?.stringValue, !reason.isEmpty, ReleaseMessage.isValid(reason) else {
                throw Problem(.invalidValue, "a bypass needs 'reason', which must be \(ReleaseMessage.form)")
            }
            try WrittenSecret.refuse(in: reason, of: "'reason'", .invalidValue)
            intent.bypassReason = reason
        }
        let effect = try requiredTag(request) ?? ""
        let application = try context.proposals(by: caller).apply(number, effect: effect, intent)
        context.service.announce(application.proposal)
        if let outcome = application.outcome { return WriteEndpoints.answer(outcome, context) }
        return try answer(application.proposal, request, context)
    }

    /// Handles `POST /{environment}/proposals/{number}/reviews`: adds a verdict or a comment.
    static func review(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        let caller = try context.caller(of: request, with: .configRead)
        let number = try number(captures)
        try request.target.query.allow()
        try request.contains("application/json")
        let object = try request.json(context.service.settings.limits.json).members(["verdict", "message"])
        guard let verdict = object["verdict"]?.stringValue.flatMap(ProposalReview.Verdict.init) else {
            throw Problem(.invalidValue, "'verdict' must be 'approve', 'reject' or 'comment'")
        }
        let message = try ProposalChange.text(object, "message", maxBytes: ProposalChange.maxMessageBytes) ?? ""
        if verdict == .comment, message.isEmpty { throw Problem(.invalidValue, "a comment needs a 'message'") }
        let effect = verdict == .comment ? nil : try requiredTag(request) ?? ""
        guard caller.reviewPerson != nil else {
            throw Problem(
                .ownerNeeded, "a review needs a person: sign in, or use a token that has an owner")
        }
        context.recordPerson(of: caller)
        let proposal = try context.proposals(by: caller).review(
            number, verdict, message: message, effect: effect, keys: caller.scopes.approvableKeys)
        context.service.announce(proposal)
        return try answer(proposal, request, context, status: 201)
    }

    /// Handles `DELETE /{environment}/proposals/{number}/reviews/{id}`: withdraws the caller's own review.
    static func withdrawReview(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        let caller = try context.caller(of: request, with: .configRead)
        try request.target.query.allow()
        guard let id = Int64(captures["id"]) else { throw Problem(.invalidRequest, "expected the id of a review") }
        let proposal = try context.proposals(by: caller).withdraw(review: id, of: try number(captures))
        context.service.announce(proposal)
        return try answer(proposal, request, context)
    }

    /// Returns the only tag of `If-Match`. Refuses a request without the header.
    private static func requiredTag(_ request: Request) throws(Problem) -> String? {
        switch try request.headers.entityTags("If-Match") {
        case .listed(let tags): return tags.count == 1 ? tags[0] : nil
        case .any: return nil
        case nil:
            throw Problem(
                .preconditionRequired, "If-Match is missing; send what you saw, so that nothing is overwritten")
        }
    }

    private static func number(_ captures: Captures) throws(Problem) -> Int64 {
        guard let number = Int64(captures["number"]), number > 0 else {
            throw Problem(.invalidRequest, "expected the number of a proposal, such as 12")
        }
        return number
    }

    /// Returns a response with a proposal, its present state and its forecast.
    private static func answer(
        _ proposal: Proposal, _ request: Request, _ context: ConfigContext, status: Int = 200, location: String? = nil
    ) throws -> Response {
        try request.memory.reserve(proposal.memory)
        let (outlook, approvers) = try context.view(reserving: request.memory.reserve) { reader, head in
            let outlook = try reader.outlook(of: proposal, at: head)
            return (outlook, try reader.approvers(of: proposal, outlook))
        }
        let body = JSONWriter.object { writer in
            writer.members(of: proposal, outlook, context)
            writer.member(
                "may_approve", value: .array(approvers.map { JSONWriter.person($0.person, $0.name) }))
            if let forecast = outlook?.forecast {
                writer.member(
                    "forecast", object: { ForecastEndpoints.members(of: forecast, context, in: &$0) })
            } else {
                writer.member("forecast", value: .null)
            }
        }
        var response = Response.uncached(status: status, body)
        response.headers.append(("ETag", "\"\(proposal.version)\""))
        if let location { response.headers.append(("Location", location + "\(proposal.number)")) }
        return response
    }
}

extension Caller {
    /// The person who acts, as proposals know them.
    var reviewPerson: ReviewPerson? { person.map { ReviewPerson(issuer: $0.issuer, subject: $0.subject) } }
}

extension ConfigContext {
    func proposals(by caller: Caller) -> ProposalWriter {
        ProposalWriter(
            writer: service.writer, author: caller.author, person: caller.reviewPerson, keys: caller.changeableKeys)
    }

    /// Returns the caller of a change of a proposal. The answer shows values, so the caller must be able to read them.
    func proposer(of request: Request) throws(Problem) -> Caller {
        let caller = try caller(of: request, with: .configPropose)
        try caller.needs(.configRead)
        recordPerson(of: caller)
        return caller
    }

    /// Stores the person who acts, because approvals and times of releases count only for people who are known.
    func recordPerson(of caller: Caller) { authenticator.recordPerson(of: caller) }

    /// Throws unless the caller may make a release without approvals.
    func needsBypass(_ caller: Caller) throws(Problem) {
        try caller.needs(.configBypass)
        guard caller.session != nil else {
            throw Problem(.scopeTooSmall, "a bypass needs a signed-in browser, not a token")
        }
        try needsFreshSignIn(caller)
    }

    /// Returns the reason to purge or retire something without approvals, which is the message of the release; nil
    /// without `bypass=true`.
    func bypassReason(of request: Request, _ caller: Caller) throws(Problem) -> String? {
        guard try request.target.query.boolean("bypass") else { return nil }
        try needsBypass(caller)
        let reason = try ConfigHeaders.message(request)
        guard !reason.isEmpty else {
            throw Problem(.invalidHeader, "Almanac-Message must give the reason for the bypass")
        }
        return reason
    }

    /// Reads proposals in one consistent view of the database.
    ///
    /// - Parameter reserve: Reserves memory for the proposals that others build on, in bytes.
    func view<Result>(
        reserving reserve: @escaping (Int) throws -> Void, _ body: (ProposalReader, Head) throws -> Result
    ) throws -> Result {
        try service.pool.withConnection { connection in
            try connection.view { connection in
                let head = try Head(try connection.run(Call(HeadStatements.read)).single("config_head"))
                return try body(ProposalReader(writer: service.writer, connection: connection, reserve: reserve), head)
            }
        }
    }
}
