internal import AlmanacRevisions
internal import Foundation

extension ConfigClient {
    /// Follows the server until the task is cancelled: what changes there is fetched here, soon after.
    ///
    /// Where no stream can be had, or it breaks, the config is fetched again and again instead, at most a minute apart,
    /// and the stream is tried anew. Fetches are spread over the time that the server asks for.
    ///
    /// ```swift
    /// let following = Task { await client.follow() }
    /// ```
    ///
    /// - Parameter activating: whether fetched values become visible at once; otherwise they wait for ``activate()``.
    public func follow(activating: Bool = true) async {
        // The longest wait is also how often the config is asked for while no stream can be had.
        var backoff = Backoff(shortest: .seconds(1), longest: .seconds(60))
        while !Task.isCancelled {
            let (wasAlive, retryAfter) = await followStream(activating: activating)
            if Task.isCancelled { return }
            if wasAlive { backoff.reset() }
            // A stream that broke may have missed something, and without a stream this is how changes are found.
            await catchUp(to: nil, activating: activating)
            try? await options.clock.sleep(for: backoff.next(retryAfter: retryAfter, random: options.random))
        }
    }

    /// - Returns: when the stream is over, whether it said anything and how long the server asks to wait.
    private func followStream(activating: Bool) async -> (wasAlive: Bool, retryAfter: Duration?) {
        var wasAlive = false
        do throws(ConfigFailure) {
            var reader = try await openStream()
            while let event = try await nextEvent(of: &reader) {
                wasAlive = true
                switch event {
                case .changed(let cursor, let spread):
                    if isCurrent(cursor) { continue }
                    try? await options.clock.sleep(for: spread * options.random.fraction)
                    await catchUp(to: cursor, activating: activating)
                case .resync: await catchUp(to: nil, activating: activating)
                case .closing(let spread): return (wasAlive, spread * options.random.fraction)
                case .other: continue
                }
            }
        } catch {
            if case .refused(_, _, let retryAfter) = error { return (wasAlive, retryAfter) }
        }
        return (wasAlive, nil)
    }

    private func openStream() async throws(ConfigFailure) -> EventStreamReader {
        let lastEventID = newest.map { "config=\($0.cursor)" } ?? ""
        let options = options
        return try await options.withToken { authorization throws(ConfigFailure) in
            do throws(EventStreamFailure) {
                return try await EventStreamReader.open(
                    options.request(options.environment.appending(path: "events"), authorization),
                    over: options.transport, resumingAfter: lastEventID, silence: options.streamSilence,
                    clock: options.clock)
            } catch {
                throw ConfigFailure(stream: error)
            }
        }
    }

    private func nextEvent(of reader: inout EventStreamReader) async throws(ConfigFailure) -> ConfigEvent? {
        do throws(EventStreamFailure) {
            return try await reader.next().map { ConfigEvent($0) }
        } catch {
            throw ConfigFailure(stream: error)
        }
    }

    /// Whether what is here is at least as new as a place in its history.
    private func isCurrent(_ cursor: Cursor) -> Bool {
        guard let here = newest?.cursor else { return false }
        return here.lineage == cursor.lineage && here.revision >= cursor.revision
    }

    /// A failure shows in the status; the next event, or the next round, tries again.
    private func catchUp(to cursor: Cursor?, activating: Bool) async {
        do throws(ConfigFailure) {
            _ = try await fetch(force: true, upTo: cursor)
            // The fetch may have been one that was under way before the change.
            if let cursor, !isCurrent(cursor) { _ = try await fetch(force: true, upTo: cursor) }
        } catch {}
        if activating { activate() }
    }
}

/// One event of a stream, as far as it is about the config.
private enum ConfigEvent {
    /// The config is at this place now; fetches should be spread over the time.
    case changed(to: Cursor, spread: Duration)
    /// The stream has a gap: everything that has changed has to be fetched.
    case resync
    /// The server ends the stream; come back within the time.
    case closing(spread: Duration)
    /// Nothing about the config, or nothing that is known here.
    case other

    /// A server cannot ask for a longer spread.
    private static let longestSpread: Duration = .seconds(300)

    private struct Content: Decodable {
        var type: String
        var config: String?
        var etag: String?
        var spreadMs: Double?
    }

    init(_ event: ServerSentEvent) {
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(event.data)) else {
            self = .other
            return
        }
        let milliseconds = max(0, min(content.spreadMs ?? 0, Double(Self.longestSpread.components.seconds) * 1000))
        let spread = Duration.milliseconds(milliseconds)
        switch content.type {
        case "hello", "ping":
            self = content.config.flatMap { Cursor($0) }.map { .changed(to: $0, spread: .zero) } ?? .other
        case "refetchEvaluation":
            let cursor = content.etag.flatMap { Cursor($0.trimmingCharacters(in: CharacterSet(charactersIn: "\""))) }
            self = cursor.map { .changed(to: $0, spread: spread) } ?? .resync
        case "resync": self = .resync
        case "bye": self = .closing(spread: spread)
        default: self = .other
        }
    }
}

extension ConfigFailure {
    fileprivate init(stream failure: EventStreamFailure) {
        self =
            switch failure {
            case .refused(let status, let retryAfter):
                .refused(status: status, problem: nil, retryAfter: retryAfter)
            case .unexpectedType: .unexpectedResponse("expected a stream of events")
            case .silent: .timedOut
            case .tooLong(let limit): .tooLarge(limit: limit)
            case .broken(let failure): ConfigFailure(failure)
            }
    }
}
