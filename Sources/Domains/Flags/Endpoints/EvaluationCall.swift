internal import AlmanacConfigDomain
internal import AlmanacCryptography
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacPOSIX
internal import AlmanacRevisions
internal import AlmanacTargeting

/// An authorized evaluation: the flags, and the caller.
struct EvaluationCall {
    private let request: Request
    private let context: FlagsContext
    private let read: FlagsRead
    private let caller: Caller?
    private let seesAll: Bool
    private let answers: FlagAnswers

    /// - Parameter minRevision: A revision of the config that the response must include.
    init(_ request: Request, _ context: FlagsContext, minRevision: Cursor? = nil) throws {
        self.request = request
        self.context = context
        caller = try context.evaluator(of: request)
        seesAll = try context.mayEvaluateAll(caller)
        read = try FlagsRead(request, context.config, minRevision: minRevision)
        answers = read.flags.answers(countedBy: context.uses)
    }

    /// Returns true if the response shows exactly the announced state.
    func isAt(_ announced: AnnouncedConfig) -> Bool {
        guard let expected = announced.cursor, let shown = Cursor(read.cursor) else { return false }
        return expected.revision == shown.revision && (expected.lineage ?? shown.lineage) == shown.lineage
    }

    /// Evaluates one flag for the caller.
    func answer(_ key: String) throws -> Response {
        let body = try EvaluationBody(bytes())
        guard let index = answers.index(of: key, seesAll: seesAll) else { throw notFound(key) }
        let now = context.seconds
        let evaluation = answers.set.evaluate(index, for: body.context, now: now)
        answers.uses.record(at: now, CollectionOfOne((index, evaluation.variantIndex)))
        if let error = evaluation.error { throw FlagsRefusal.notEvaluated(key: key, error) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(answers.maxAnswerBytes(of: [index]))
        answers.write(evaluation.outcome, of: index, to: &bytes)
        bytes.removeLast()
        var response = Response.uncached(bytes)
        read.addHeaders(to: &response)
        return response
    }

    private func notFound(_ key: String) -> FlagsRefusal {
        let newest = read.newestFlags.answers(countedBy: context.uses)
        guard let major = read.major, newest.index(of: key, seesAll: seesAll) != nil else {
            return .flagNotFound(key: key)
        }
        return .flagNotInMajor(key: key, major: major, reason: read.obstacle(to: key))
    }

    /// Evaluates all flags for the caller.
    ///
    /// - Parameter known: The tags of the responses that the client has; nil forces a full response.
    func answer(unless known: EntityTags?) throws -> Response {
        let bytes = try bytes()
        let isTimed = answers.dependsOnTime(seesAll: seesAll)
        if !isTimed, let known {
            let tag = tag(bytes)
            if known.matches(tag) {
                // A flag counts as used even if the response is unchanged.
                if answers.uses.claimSample(at: context.seconds) { _ = try items(for: EvaluationBody(bytes)) }
                return completed(.notModified(tag, for: request.headers))
            }
        }
        let body = try EvaluationBody(bytes)
        var answer = try items(for: body)
        // If evaluations depend on the time, only the response itself shows that nothing changed.
        let tag = tag(isTimed ? bytes + answer : bytes)
        if isTimed, known?.matches(tag) == true { return completed(.notModified(tag, for: request.headers)) }
        answer += "],\"metadata\":{\"version\":\"\(read.version)\"".utf8
        answer += answers.metadata
        answer += "}".utf8
        if let stream = eventStream {
            answer += ",\"eventStreams\":[{\"type\":\"sse\",\"endpoint\":{\"requestUri\":\"".utf8
            answer += stream.requestURI.utf8
            answer += "\"},\"inactivityDelaySec\":120}]".utf8
        }
        answer += "}".utf8
        var whole = Response(body: answer)
        whole.headers.append(("ETag", "W/\"" + tag + "\""))
        return completed(whole)
    }

    private func bytes() throws(Problem) -> [UInt8] {
        let bytes = try request.bytes(limit: EvaluationBody.maxBytes)
        if !bytes.isEmpty { try request.contains("application/json") }
        try request.memory.reserve(bytes.count * EvaluationBody.memoryPerByte)
        return bytes
    }

    /// The maximum capacity to reserve for a response, in bytes. Variants may be large, but only one per flag is sent.
    private static let maxReservedBytes = 4 << 20
    /// The maximum length of a response about many flags, in bytes.
    private static let maxAnswerBytes = 16 << 20

    /// Returns the response up to the last flag, without the closing bracket.
    private func items(for body: EvaluationBody) throws -> [UInt8] {
        let now = context.seconds
        let flags = visibleFlags(body.namedKeys)
        var variants: [Int?] = []
        variants.reserveCapacity(flags.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(answers.maxAnswerBytes(of: flags) + 256, Self.maxReservedBytes))
        bytes += "{\"flags\":[".utf8
        do throws(EvaluationFault) {
            try answers.set.evaluate(flags, for: body.context, now: now, longWork: RunnableThreads.makeWay) {
                index, outcome in
                variants.append(outcome.variantIndex)
                guard bytes.count <= Self.maxAnswerBytes else { return }
                answers.write(outcome, of: index, to: &bytes)
            }
        } catch {
            throw FlagsRefusal.limitExceeded(
                "the rules of these flags need more than \(FlagSet.maxSteps) steps for this context; name fewer flags "
                    + "in its attribute 'flags', or send a smaller context")
        }
        guard bytes.count <= Self.maxAnswerBytes else {
            throw FlagsRefusal.limitExceeded(
                "the response would have more than \(Self.maxAnswerBytes) bytes; name fewer flags in the context's "
                    + "attribute 'flags'")
        }
        answers.uses.record(at: now, zip(flags, variants))
        if !flags.isEmpty { bytes.removeLast() }
        return bytes
    }

    /// Returns the indices of the flags to evaluate: all visible flags, or those that the caller names. If no name
    /// matches a visible flag, the names are the app's own and are ignored.
    private func visibleFlags(_ names: [String]?) -> [Int] {
        let named = names?.compactMap { answers.index(of: $0, seesAll: seesAll) } ?? []
        if !named.isEmpty { return Set(named).sorted() }
        return seesAll ? answers.allFlags : answers.publicFlags
    }

    /// Returns the tag of a response: the state of the flags, and a hash of the response's other inputs. The tag is
    /// weak (RFC 9110 §8.8.1) because it ignores the config's version in the metadata.
    private func tag(_ bytes: [UInt8]) -> String {
        // Clients keep the stream of the last full response, so the tag changes with the epoch of the stream's ticket.
        let epoch = context.tickets.epoch(for: caller, isPublic: context.isPublic)
        let start = Array("\(read.major.map { "\($0)" } ?? "") \(seesAll) \(epoch) ".utf8)
        return read.stateTag + "-" + Base64URL.encode(Array(SHA256.digest(start + bytes).prefix(16)))
    }

    /// Adds the headers for the state of the config to a response about many flags.
    private func completed(_ response: Response) -> Response {
        var response = response
        read.addHeaders(to: &response)
        response.headers.append(("Cache-Control", "private, no-cache"))
        return response
    }

    /// The address of the caller's event stream.
    private var eventStream: EventAddress? {
        context.tickets.address(
            for: caller, isPublic: context.isPublic, lineage: read.lineage,
            base: request.target.pathHasEnvironment ? "/" + request.target.segments[0] : "")
    }
}

extension CompiledFlags {
    /// Returns the prepared answers for the flags, computed at first use.
    fileprivate func answers(countedBy uses: FlagUses) -> FlagAnswers {
        prepared { FlagAnswers(set, isPublic: details.map(\.isPublic), uses: uses.table(for: set)) }
    }
}
