internal import AlmanacRevisions
internal import Foundation

/// What a stream says about the config.
enum LiveEvent: Equatable {
    /// The config is at this place now; fetches should be spread over the time.
    case at(Cursor, spread: Duration)
    /// Read anew what is here.
    case resync
    /// The server ends the stream; come back within the time.
    case bye(spread: Duration)
    /// Nothing about the config, or nothing that is known here.
    case other

    /// A server cannot ask for a longer spread.
    static let longestSpread: Duration = .seconds(300)

    private struct Data: Decodable {
        var type: String
        var config: String?
        var etag: String?
        var spreadMs: Double?
    }

    init(_ event: EventStreamParser.Event) {
        guard let data = try? JSONDecoder().decode(Data.self, from: Foundation.Data(event.data.utf8)) else {
            self = .other
            return
        }
        let milliseconds = max(0, min(data.spreadMs ?? 0, Double(Self.longestSpread.components.seconds) * 1000))
        let spread = Duration.milliseconds(milliseconds)
        switch data.type {
        case "hello", "ping":
            self = data.config.flatMap { Cursor($0) }.map { .at($0, spread: .zero) } ?? .other
        case "refetchEvaluation":
            let cursor = data.etag.flatMap { Cursor($0.trimmingCharacters(in: CharacterSet(charactersIn: "\""))) }
            self = cursor.map { .at($0, spread: spread) } ?? .resync
        case "resync": self = .resync
        case "bye": self = .bye(spread: spread)
        default: self = .other
        }
    }
}
