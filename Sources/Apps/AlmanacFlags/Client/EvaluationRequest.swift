internal import AlmanacJSONReader
internal import AlmanacRevisions
internal import Foundation

/// A request for all flags (OFREP 0.3, bulk evaluation).
struct EvaluationRequest: Sendable {
    let options: FlagOptions
    let context: FlagContext
    /// The cached evaluations for this context; nil requests a complete response.
    let base: FlagSnapshot?
    /// The newest fetched cursor.
    let seen: Cursor?
    /// The minimum cursor of the response; nil for the server's newest.
    let end: Cursor?

    struct Response: Sendable {
        enum Content: Sendable {
            case whole(FlagSnapshot)
            /// The cached evaluations, confirmed by the server.
            case unchanged(FlagSnapshot)
        }
        let content: Content
        /// True if the server responded while it was cut off from its database.
        let isStale: Bool
    }

    func send(token: String?) async throws(FlagFailure) -> Response {
        let response: TransportResponse<[UInt8]>
        do throws(TransportFailure) {
            response = try await options.transport.send(request(token))
        } catch {
            throw FlagFailure(error)
        }
        let isStale = response.headers["Almanac-Stale"] == "true"
        if response.status == 304, var base, base.etag != nil {
            base.fetchedAt = options.clock.date
            // A release of other entries moves the cursor but leaves the evaluations unchanged.
            base.cursor = response.headers["Almanac-Cursor"].flatMap { Cursor($0) } ?? base.cursor
            base.version = response.headers["Almanac-Version"] ?? base.version
            return Response(content: .unchanged(base), isStale: isStale)
        }
        if response.status != 200 { throw FlagFailure(refusal: response, now: options.clock.date) }
        return Response(content: .whole(try snapshot(of: response)), isStale: isStale)
    }

    private func request(_ token: String?) -> TransportRequest {
        var url = options.environment.appending(path: "ofrep/v1/evaluate/flags")
        if let end { url.append(queryItems: [URLQueryItem(name: "flagConfigEtag", value: "\"\(end)\"")]) }
        var request = TransportRequest(
            "POST", url.absoluteString,
            headers: [
                (name: "Content-Type", value: "application/json; charset=utf-8"),
                (name: "Accept", value: "application/json"),
            ], body: Array("{\"context\":\(context.json)}".utf8), byteLimit: options.maxResponseBytes)
        request.timeout = options.timeout
        if let token { request.headers.append((name: "Authorization", value: "Bearer \(token)")) }
        if let major { request.headers.append((name: "Almanac-Major", value: major)) }
        if let etag = base?.etag { request.headers.append((name: "If-None-Match", value: etag)) }
        return request
    }

    private var major: String? { options.version?.split(separator: ".").first.map(String.init) }

    private func snapshot(of response: TransportResponse<[UInt8]>) throws(FlagFailure) -> FlagSnapshot {
        let type = response.headers["Content-Type"] ?? ""
        if !type.lowercased().contains("json") { throw .unexpectedResponse("expected JSON instead of '\(type)'") }
        let answer: BulkEvaluation
        do throws(JSONFault) {
            answer = try BulkEvaluation(response.body)
        } catch {
            throw .unexpectedResponse("expected \(error.expected) at byte \(error.offset) of the evaluations")
        }
        // Other OFREP servers do not send this header.
        let cursor = response.headers["Almanac-Cursor"].flatMap { Cursor($0) }
        if let cursor, let seen, cursor.lineage == seen.lineage, cursor.revision < seen.revision {
            throw .olderRevision(seen: seen.revision, received: cursor.revision)
        }
        if let major, cursor != nil, response.headers["Almanac-Major"] != major {
            throw .unexpectedResponse("expected the header Almanac-Major to name the pinned major \(major)")
        }
        return FlagSnapshot(
            context: context, etag: response.headers["ETag"], cursor: cursor,
            version: response.headers["Almanac-Version"], fetchedAt: options.clock.date, body: response.body,
            answer: answer)
    }
}

extension FlagOptions {
    /// Returns a valid access token; nil if the flags are public.
    func token(replacing refused: String?) async throws(FlagFailure) -> String? {
        guard let tokens else { return nil }
        do throws(TokenFailure) {
            return try await tokens.accessToken(replacing: refused, within: timeout, clock: clock)
        } catch {
            switch error {
            case .signInRequired: throw .signInRequired
            case .timedOut: throw .timedOut
            case .unavailable(let reason): throw .unreachable(reason)
            }
        }
    }
}
