/// What is still to be announced: for each channel and scope the highest revision.
struct Announcements {
    struct Subject: Hashable {
        let channel: String
        let scope: String
    }

    private struct Entry {
        var revision: Int64
        /// Grows with every announcement, so the oldest can be told.
        var age: Int
    }

    private let limit: Int
    private var entries: [Subject: Entry] = [:]
    private var clock = 0

    /// - Parameter limit: how many subjects are kept; beyond it those announced longest ago are forgotten.
    init(limit: Int = 10_000) {
        self.limit = limit
    }

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ subject: Subject, revision: Int64) {
        clock += 1
        entries[subject] = Entry(revision: max(revision, entries[subject]?.revision ?? revision), age: clock)
        // A quarter more before the sort, which so costs little for each announcement.
        guard entries.count > limit + limit / 4 else { return }
        trim()
    }

    /// Puts back what could not be sent, as older than everything announced since.
    mutating func putBack(_ older: Announcements) {
        var merged = older
        for (subject, entry) in entries.sorted(by: { $0.value.age < $1.value.age }) {
            merged.add(subject, revision: entry.revision)
        }
        self = merged
    }

    /// Takes everything out, as channels and payloads in the order of the announcements.
    ///
    /// A payload is the revision, behind the scope and a space when there is a scope.
    func messages() -> (channels: [String], payloads: [String]) {
        let ordered = entries.sorted { $0.value.age < $1.value.age }.suffix(limit)
        return (
            ordered.map(\.key.channel),
            ordered.map { subject, entry in
                subject.scope.isEmpty ? "\(entry.revision)" : "\(subject.scope) \(entry.revision)"
            }
        )
    }

    private mutating func trim() {
        let newest = entries.sorted { $0.value.age < $1.value.age }.suffix(limit)
        entries = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }
}
