#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A problem document (RFC 9457).
struct ServerProblem: Decodable {
    var type: String?
    var title: String?
    var status: Int?
    var detail: String?

    private static let prefix = "urn:almanac:problem:"

    /// Reads the body of an answer; nil where it is none of the server's own, as that of some proxy between.
    init?(_ answer: NotesAnswer) {
        guard let problem = try? JSONDecoder().decode(ServerProblem.self, from: Data(answer.body)),
            problem.type?.hasPrefix(Self.prefix) == true
        else { return nil }
        self = problem
    }

    /// The last part of its type: `note-gone`.
    var shortType: String {
        guard let type else { return "unknown" }
        return type.hasPrefix(Self.prefix) ? String(type.dropFirst(Self.prefix.count)) : type
    }

    /// Whether the same action may well be taken later.
    var isPassing: Bool { status.map { $0 == 429 || $0 >= 500 } ?? false }
}
