#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What a stream tells, as far as it matters to notes.
struct LiveEvent: Decodable, Sendable {
    let type: String
    var pingSeconds: Int?
    var tokenExpiresIn: Int?
    var spreadMs: Int?

    init?(_ data: [UInt8]) {
        guard let event = try? JSONDecoder().decode(LiveEvent.self, from: Data(data)) else { return nil }
        self = event
    }

    /// Whether notes may have changed.
    var isNews: Bool {
        ["hello", "noteCreated", "noteUpdated", "noteDeleted", "notesReordered", "resync"].contains(type)
    }

    /// Whether the token ends so soon that the next stream has to be opened.
    var wantsSuccessor: Bool { tokenExpiresIn.map { $0 <= 60 } ?? false }
}
