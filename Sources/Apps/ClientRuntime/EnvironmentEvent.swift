package import AlmanacRevisions

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// One event of an environment's stream, as far as it is about the config and its flags.
package enum EnvironmentEvent: Sendable, Equatable {
    /// The config stands at this place.
    case at(Cursor)
    /// What was fetched is to be fetched again, spread over the time; where the server names a place, up to there.
    case changed(to: Cursor?, spread: Duration)
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

    package init(_ event: ServerSentEvent) {
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(event.data)) else {
            self = .other
            return
        }
        let milliseconds = max(0, min(content.spreadMs ?? 0, Double(Self.longestSpread.components.seconds) * 1000))
        let spread = Duration.milliseconds(milliseconds)
        switch content.type {
        case "hello", "ping": self = content.config.flatMap { Cursor($0) }.map { .at($0) } ?? .other
        case "refetchEvaluation":
            let cursor = content.etag.flatMap { Cursor($0.filter { $0 != "\"" }) }
            self = .changed(to: cursor, spread: spread)
        case "resync": self = .resync
        case "bye": self = .closing(spread: spread)
        default: self = .other
        }
    }
}

extension Cursor {
    /// Whether it is at least as new as another place in the same history.
    package func reaches(_ other: Cursor) -> Bool { lineage == other.lineage && revision >= other.revision }
}
