import AlmanacTimestamps

@testable import AlmanacConfigDomain

extension Entry {
    /// All properties of the entry, as text.
    var summary: String {
        let text = value.map { String(decoding: $0, as: UTF8.self) } ?? "gone"
        return "\(id) \(key)\(majors.text)=\(text) '\(description)' at \(revision) \(updatedAt) "
            + String(decoding: json, as: UTF8.self)
    }
}

extension Snapshot {
    /// The majors, and nil for a client without a pin.
    var pins: [Int?] { [nil] + majors.keys.sorted() }

    /// Returns the differences from a snapshot that should be equal.
    func differences(from other: Snapshot) -> [String] {
        var differences: [String] = []
        if head != other.head { differences.append("\(head) is not \(other.head)") }
        if entries.map(\.summary) != other.entries.map(\.summary) {
            differences.append("entries \(entries.map(\.summary)) are not \(other.entries.map(\.summary))")
        }
        if majors != other.majors { differences.append("\(majors) are not \(other.majors)") }
        for pin in pins {
            let (mine, theirs) = (view(of: pin), other.view(of: pin))
            if mine.live.map(\.summary) != theirs.live.map(\.summary) {
                differences.append("major \(pin ?? 0) sees others")
            }
        }
        return differences
    }

    /// Returns the changed rows for a client, computed from the rules without the view's indices.
    func naivelyChanged(for pin: Int?, where isNew: (Entry) -> Bool) -> [String] {
        entries.filter { entry in
            guard isNew(entry) else { return false }
            guard let pin else { return entry.majors.end == nil }
            let isSeen = entry.majors.first <= pin && pin < entry.majors.end ?? .max
            return isSeen && (entry.value != nil || entry.majors.first == 1)
        }.map(\.summary)
    }
}
