internal import AlmanacConfigDomain
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacTargeting

/// The call `POST /{environment}/flags/{key}/explain`: evaluates a stored flag or a draft for a context, with reasons.
enum ExplainEndpoint {
    static func explain(_ request: Request, _ captures: Captures, _ context: FlagsContext) throws -> Response {
        let read = try context.definitions(request)
        let (key, body) = (captures["key"], try DraftBody(request))
        let set = try body.set(of: key, read.flags)
        let explanation = set.explain(key, for: body.context, now: body.time ?? context.seconds)
        let evaluation = explanation.evaluation
        let bytes = JSONWriter.object { writer in
            writer.member("key", key)
            if let value = evaluation.value { writer.member("value", raw: value.json) }
            writer.member("variant", value: evaluation.variant.map { .string($0.name) } ?? .null)
            writer.member("reason", evaluation.reason.name)
            if let error = evaluation.error {
                writer.member("error_code", error.code)
                writer.member("error_details", error.message)
            }
            writer.member("branch", explanation.branch)
            writer.member(
                "steps", array: { writer in for step in explanation.steps { writer.object { $0.members(of: step) } } })
            if explanation.omitted > 0 { writer.member("omitted_steps", Int64(explanation.omitted)) }
            if body.definition != nil { writer.faults(of: key, in: set) }
        }
        var response = Response.uncached(bytes)
        read.addHeaders(to: &response)
        return response
    }
}

extension JSONWriter {
    fileprivate mutating func members(of step: Explanation.Step) {
        member("path", step.path)
        switch step.finding {
        case .compared(let operands, let result):
            member("finding", "compared")
            member("operands", raw: FlagValue.array(FlagArray(operands)).json)
            member("result", raw: result.json)
        case .condition(let holds, let branch):
            member("finding", "condition")
            member("holds", holds)
            member("branch", value: branch.map { .number(JSONNumber(Int64($0))) } ?? .null)
        case .split(let share, let bucket):
            member("finding", "split")
            member("share", raw: FlagValue.number(FlagNumber(share)).json)
            member("bucket", value: bucket.map { .number(JSONNumber(Int64($0))) } ?? .null)
        case .bucket(let bucket, let count, let range):
            member("finding", "bucket")
            member("bucket", bucket)
            member("buckets", count)
            member("range", value: range.map { .number(JSONNumber(Int64($0))) } ?? .null)
        case .ramp(let percent, let isIn):
            member("finding", "ramp")
            member("percent", raw: FlagValue.number(FlagNumber(percent)).json)
            member("in", isIn)
        case .nothingToSplitBy: member("finding", "nothing-to-split-by")
        case .flag(let key, let variant):
            member("finding", "flag")
            member("flag", key)
            member("variant", value: variant.map { .string($0) } ?? .null)
        }
        member("words", step.words)
        member("decides", step.isDeciding)
    }
}
