/// A range of major versions; without an upper bound, it has all later ones.
struct MajorRange: Equatable, Sendable {
    var first: Int
    /// The major after the last one.
    var end: Int?

    func contains(_ major: Int) -> Bool { first <= major && (end.map { major < $0 } ?? true) }

    /// The range as PostgreSQL writes it.
    var text: String { "[\(first),\(end.map { "\($0)" } ?? ""))" }
}
