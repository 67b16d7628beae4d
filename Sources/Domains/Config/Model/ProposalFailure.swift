internal import AlmanacJSON
internal import AlmanacProposals
internal import AlmanacTimestamps
internal import AlmanacWebhooks

/// The reason why a release was not made at its time.
enum ProposalFailure {
    /// The time was too long ago when a worker came to it.
    case missed(at: Timestamp)
    case refused(ProposalRefusal)
    case invalid(ConfigRefusal)

    /// The failure as stored: a reason, and the keys with their values if others released other ones.
    var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [("reason", .string(reason))]
        switch self {
        case .missed(let time): members.append(("at", .string("\(time)")))
        case .refused(.conflicted(let conflicts)): members.append(("conflicts", .array(conflicts.map(\.json))))
        case .refused(.approvalRequired(let unmet)): members.append(("unmet", .array(unmet.map(\.json))))
        case .invalid(.invalidFlags(let faults)):
            members.append(("faults", .array(faults.map { .string($0.text) })))
        case .refused, .invalid: break
        }
        return .object(JSONObject(members))
    }

    /// The event that tells receivers of the failure.
    var event: HookEvent.Kind {
        switch self {
        case .missed: .proposalMissed
        case .refused(.conflicted): .proposalConflicted
        case .refused, .invalid: .proposalFailed
        }
    }

    private var reason: String {
        switch self {
        case .missed: "missed"
        case .refused(.conflicted): "conflicted"
        case .refused(.approvalRequired): "not-approved"
        case .refused(.rejected): "rejected"
        case .refused(.waits): "waits"
        case .refused(.noScheduleAuthor): "not-permitted"
        case .refused, .invalid: "invalid"
        }
    }
}

extension EditResolution.Conflict {
    /// The conflict with the values before, after and now; null stands for an absent part.
    var json: JSONValue {
        .object(
            JSONObject([
                ("key", .string(edit.key)), ("path", .string(edit.path.text)), ("before", edit.before ?? .null),
                ("after", edit.after ?? .null), ("now", now ?? .null),
            ]))
    }
}

extension ReviewStanding.Unmet {
    var json: JSONValue {
        .object(
            JSONObject([
                ("keys", .array(keys.map { .string($0) })), ("required", .number(JSONNumber(Int64(required)))),
                ("has", .number(JSONNumber(Int64(has)))),
            ]))
    }
}
