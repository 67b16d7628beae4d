internal import AlmanacConfigDomain
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacTargeting

/// The call `POST /{environment}/flags/{key}/sample`, which counts the variants of a sample of callers, and the callers
/// who would get another variant with a draft.
enum SampleEndpoint {
    static func sample(_ request: Request, _ captures: Captures, _ context: FlagsContext) throws -> Response {
        let read = try context.definitions(request)
        let key = captures["key"]
        let body = try DraftBody(request, ["fractional", "ids", "count"])
        let set = try body.set(of: key, read.flags)
        // A new flag moves nobody.
        let stored = body.isDraft && read.flags.set.index(of: key) != nil ? read.flags.set : nil
        let now = body.time ?? context.seconds
        var stepsLeft = FlagSet.maxSteps
        let sample =
            if let ids = body.ids {
                FlagSample(
                    of: key, in: set, against: stored, for: body.context, ids: ids, now: now, stepsLeft: &stepsLeft)
            } else {
                FlagSample(
                    of: key, in: set, against: stored, for: body.context, ids: FlagSample.ids(body.count), now: now,
                    stepsLeft: &stepsLeft)
            }
        let bytes = JSONWriter.object { writer in
            writer.member("sampled", Int64(sample.sampled))
            writer.member(
                "variants",
                array: { writer in
                    for share in sample.variants {
                        writer.object { writer in
                            writer.variant("name", share.name)
                            writer.member("count", Int64(share.count))
                        }
                    }
                })
            writer.member("moved", Int64(sample.moved))
            writer.member(
                "moves",
                array: { writer in
                    for move in sample.moves {
                        writer.object { writer in
                            writer.variant("from", move.from)
                            writer.variant("to", move.to)
                            writer.member("count", Int64(move.count))
                        }
                    }
                })
            if body.definition != nil { writer.faults(of: key, in: set) }
        }
        var response = Response.uncached(bytes)
        read.addHeaders(to: &response)
        return response
    }
}

extension JSONWriter {
    /// Writes the name of a variant, or null.
    fileprivate mutating func variant(_ member: String, _ name: String?) {
        self.member(member, value: name.map { .string($0) } ?? .null)
    }
}
