internal import AlmanacRevisions
internal import Foundation

extension RemoteFlags {
    /// Follows the environment's event stream until the task is cancelled, and fetches each change soon after.
    ///
    /// If there is no stream, or it breaks, the client polls at most a minute apart and reconnects. Fetches are spread
    /// over the time that the server requests. After the server has rejected a token and a context, the client sends no
    /// request until one of them changes.
    ///
    /// ```swift
    /// let following = Task { await flags.follow() }
    /// ```
    public func follow() async {
        let follower = EnvironmentFollower(
            clock: options.clock, random: options.random, refetchesKnownRevision: true,
            newest: { await self.snapshot?.cursor },
            open: { () throws(EnvironmentFollower.NoStream) in try await self.openStream() },
            catchUp: { await self.catchUp(to: $0) })
        await follower.run()
    }

    /// Fetches the changes. A failure is visible in the status, and the next event or poll retries.
    private func catchUp(to cursor: Cursor?) async {
        do throws(FlagFailure) {
            let before = requestCount
            _ = try await fetch(force: true, upTo: cursor)
            // The call may have joined a fetch that started before the change.
            if requestCount == before { _ = try await fetch(force: true, upTo: cursor) }
        } catch {}
    }

    /// Opens the stream from the last response with its ticket, or the environment's stream with the token.
    private func openStream() async throws(EnvironmentFollower.NoStream) -> EventStreamReader {
        do throws(FlagFailure) {
            if stream != .confirmed { _ = try await fetch(force: true, upTo: nil) }
            let place = streamAddress
            var request = TransportRequest("GET", place.url.absoluteString)
            if !place.hasTicket, let token = try await options.token(replacing: nil) {
                request.headers.append((name: "Authorization", value: "Bearer \(token)"))
            }
            return try await open(request, withTicket: place.hasTicket)
        } catch {
            throw EnvironmentFollower.NoStream(retryAfter: error.retryAfter)
        }
    }

    private func open(_ request: TransportRequest, withTicket: Bool) async throws(FlagFailure) -> EventStreamReader {
        do throws(EventStreamFailure) {
            return try await EventStreamReader.open(
                request, over: options.transport, resumingAfter: (snapshot?.cursor).lastEventID,
                idleTimeout: options.streamIdleTimeout, clock: options.clock)
        } catch {
            if case .refused(let status, let retryAfter) = error {
                // The next complete response contains another ticket.
                if withTicket { stream = .refused }
                throw .refused(status: status, error: nil, retryAfter: retryAfter)
            }
            throw .unexpectedResponse("\(error)")
        }
    }

    /// The URL of the stream. A stream on another host is ignored, so that the host learns nothing about this device.
    private var streamAddress: (url: URL, hasTicket: Bool) {
        let own = options.environment.appending(path: "events")
        guard let stream = snapshot?.answer.stream,
            let base = stream.origin.map({ URL(string: $0) }) ?? options.environment,
            let url = URL(string: stream.requestURI, relativeTo: base)?.absoluteURL,
            url.scheme == own.scheme, url.host() == own.host(), url.port == own.port
        else { return (own, false) }
        return (url, stream.hasTicket)
    }
}
