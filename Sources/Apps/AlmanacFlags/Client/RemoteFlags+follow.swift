internal import AlmanacRevisions
internal import Foundation

extension RemoteFlags {
    /// Follows the server until the task is cancelled: what changes there is fetched here, soon after.
    ///
    /// Where no stream can be had, or it breaks, the flags are fetched again and again instead, at most a minute apart,
    /// and the stream is tried anew. Fetches are spread over the time that the server asks for. A server that has
    /// refused this token and this context is not asked again until one of them is another.
    ///
    /// ```swift
    /// let following = Task { await flags.follow() }
    /// ```
    public func follow() async {
        let follower = EnvironmentFollower(
            clock: options.clock, random: options.random, timeAloneChanges: true,
            newest: { await self.snapshot?.cursor },
            open: { () throws(EnvironmentFollower.NoStream) in try await self.openStream() },
            catchUp: { await self.catchUp(to: $0) })
        await follower.run()
    }

    /// A failure shows in the status; the next event, or the next round, tries again.
    private func catchUp(to cursor: Cursor?) async {
        do throws(FlagFailure) {
            let before = begun
            _ = try await fetch(force: true, upTo: cursor)
            // The fetch may have been one that was under way before the change.
            if begun == before { _ = try await fetch(force: true, upTo: cursor) }
        } catch {}
    }

    /// Opens the stream that the server has named, with its ticket; else the environment's own, with the token.
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

    private func open(
        _ request: TransportRequest, withTicket: Bool
    ) async throws(FlagFailure) -> EventStreamReader {
        do throws(EventStreamFailure) {
            return try await EventStreamReader.open(
                request, over: options.transport, resumingAfter: (snapshot?.cursor).lastEventID,
                silence: options.streamSilence, clock: options.clock)
        } catch {
            if case .refused(let status, let retryAfter) = error {
                // The next response brings another ticket.
                if withTicket { stream = .refused }
                throw .refused(status: status, error: nil, retryAfter: retryAfter)
            }
            throw .unexpectedResponse("\(error)")
        }
    }

    /// A stream elsewhere than with the environment is not followed: whoever is there learns nothing of this device.
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
