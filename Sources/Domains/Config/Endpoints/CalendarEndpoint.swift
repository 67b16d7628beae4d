internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacProposals
internal import AlmanacTargeting
internal import AlmanacTimestamps

/// The call that tells what will change without another call.
enum CalendarEndpoint {
    private static let maxProposals = 100
    private static let maxItems = 1000

    private typealias Item = (at: Timestamp, json: [UInt8])

    /// Handles `GET /{environment}/calendar`: lists the proposals with a time, and the ramps and times of flags that
    /// are not over, earliest first.
    static func show(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        _ = try context.caller(of: request, with: .configRead)
        try request.target.query.allow()
        try request.accepts("application/json")
        let proposals = try proposals(request, context)
        let shown = proposals.prefix(maxProposals) + flags(context)
        let sorted = shown.sorted { $0.at < $1.at }
        return .uncached(
            JSONWriter.object { writer in
                writer.member("items", raw: Representation.array(sorted.prefix(maxItems).map(\.json)))
                writer.member("truncated", sorted.count > maxItems || proposals.count > maxProposals)
            })
    }

    private static func proposals(_ request: Request, _ context: ConfigContext) throws -> [Item] {
        var items: [Item] = []
        var reserved = 0
        try context.view(reserving: request.memory.reserve) { reader, head in
            try reader.forEachScheduled(limit: Int64(maxProposals) + 1) { proposal in
                guard let schedule = proposal.schedule else { return }
                // The proposals are in memory one after another, so the largest one counts.
                let memory = proposal.memory
                try request.memory.reserve(max(0, memory - reserved))
                reserved = max(reserved, memory)
                let outlook = try reader.outlook(of: proposal, at: head, forecasts: false)
                let json = JSONWriter.object { writer in
                    writer.member("at", "\(schedule.at)")
                    writer.member("kind", "proposal")
                    writer.member("number", proposal.number)
                    writer.member("title", proposal.title)
                    writer.member("zone", schedule.zone)
                    writer.member("keys", Set(proposal.edits.map(\.key)).sorted())
                    writer.member("state", state(of: proposal, outlook))
                    writer.member(
                        "after_proposal", value: proposal.predecessor.map { .number(JSONNumber($0)) } ?? .null)
                }
                items.append((schedule.at, json))
            }
        }
        return items
    }

    private static func state(of proposal: Proposal, _ outlook: ProposalOutlook?) -> String {
        guard proposal.state == .open, let outlook else { return "draft" }
        if outlook.isConflicted { return "conflicted" }
        if outlook.isBlocked { return "blocked" }
        return outlook.standing.isApproved ? "approved" : "open"
    }

    /// Returns the ramps and the times of the flags that change after now.
    private static func flags(_ context: ConfigContext) -> [Item] {
        let now = context.service.now() / 1000
        var items: [Item] = []
        func time(_ seconds: Int64) -> Timestamp {
            let bounds = Timestamp.earliest.milliseconds / 1000...Timestamp.latest.milliseconds / 1000
            return Timestamp(milliseconds: min(max(seconds, bounds.lowerBound), bounds.upperBound) * 1000)
        }
        func add(_ kind: String, _ key: String, at seconds: Int64, _ members: (inout JSONWriter) -> Void = { _ in }) {
            let json = JSONWriter.object { writer in
                writer.member("at", "\(time(seconds))")
                writer.member("kind", kind)
                writer.member("key", key)
                members(&writer)
            }
            items.append((time(seconds), json))
        }
        for (key, schedule) in context.service.store.current.snapshot.flags.compiled(for: nil).timed {
            for ramp in schedule.ramps where ramp.end > now {
                add("ramp", key, at: ramp.start) { writer in
                    writer.member("until", "\(time(ramp.end))")
                    writer.member("variant", value: ramp.variant.map { .string($0) } ?? .null)
                    writer.member("from", raw: percent(ramp.from))
                    writer.member("to", raw: percent(ramp.to))
                }
            }
            for seconds in Set(schedule.comparedTimes) where seconds > now { add("time", key, at: seconds) }
        }
        return items
    }

    /// Returns thousandths of a percent as a percentage.
    private static func percent(_ thousandths: Int64) -> [UInt8] {
        let isWhole = thousandths.isMultiple(of: 1000)
        return Array((isWhole ? "\(thousandths / 1000)" : "\(Double(thousandths) / 1000)").utf8)
    }
}
