package import AlmanacRevisions

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An event about the config or the flags on an environment's event stream.
package enum EnvironmentEvent: Sendable, Equatable {
    /// The config's current cursor.
    case at(Cursor)
    /// Cached values are stale: fetch again after a random part of `spread`, up to the cursor if the server sent one.
    case changed(to: Cursor?, spread: Duration)
    /// The stream has a gap: fetch everything that has changed.
    case resync
    /// The server closes the stream: reconnect after a random part of `spread`.
    case closing(spread: Duration)
    /// An event of another subject or of an unknown type.
    case other

    /// The upper bound of the spread that a server may request.
    private static let maxSpread: Duration = .seconds(300)

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
        let milliseconds = max(0, min(content.spreadMs ?? 0, Double(Self.maxSpread.components.seconds) * 1000))
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
    /// Returns true if this cursor is at least as new as another cursor of the same history.
    package func reaches(_ other: Cursor) -> Bool { lineage == other.lineage && revision >= other.revision }
}
