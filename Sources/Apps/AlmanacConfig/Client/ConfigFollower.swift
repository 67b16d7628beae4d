internal import AlmanacRevisions
internal import Foundation

/// Follows an environment's stream of events, and says when something has to be fetched.
struct ConfigFollower: Sendable {
    let options: ConfigOptions
    /// The place in the environment's history that has been reached here.
    let newest: @Sendable () async -> Cursor?
    /// Fetches what is new, up to a place in the history where the server has named one.
    let catchUp: @Sendable (Cursor?) async -> Void

    /// Runs until the task is cancelled.
    func run() async {
        // The longest wait is also how often the config is asked for while no stream can be had.
        var backoff = Backoff(shortest: .seconds(1), longest: .seconds(60))
        while !Task.isCancelled {
            let (wasAlive, retryAfter) = await followStream()
            if Task.isCancelled { return }
            if wasAlive { backoff.reset() }
            // A stream that broke may have missed something, and without a stream this is how changes are found.
            await catchUp(nil)
            try? await options.clock.sleep(for: backoff.next(retryAfter: retryAfter, random: options.random))
        }
    }

    /// - Returns: when the stream is over, whether it said anything and how long the server asks to wait.
    private func followStream() async -> (wasAlive: Bool, retryAfter: Duration?) {
        var wasAlive = false
        do throws(ConfigFailure) {
            var reader = try await openStream()
            while let event = try await nextEvent(of: &reader) {
                wasAlive = true
                switch event {
                case .changed(let cursor, let spread):
                    if await newest()?.reaches(cursor) == true { continue }
                    try? await options.clock.sleep(for: spread * options.random.fraction)
                    await catchUp(cursor)
                case .resync: await catchUp(nil)
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
        let lastEventID = await newest().map { "config=\($0)" } ?? ""
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
}

extension Cursor {
    /// Whether it is at least as new as another place in the same history.
    func reaches(_ other: Cursor) -> Bool { lineage == other.lineage && revision >= other.revision }
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
